import type { Words } from "../../pages/languages/en.ts";

export const es: Words = {
  common: {
    notice: "Aviso",
    home: "Inicio",
    signIn: "Iniciar sesión",
    signOut: "Cerrar sesión",
    signOutEffect:
      "Al cerrar la sesión termina el acceso de las aplicaciones, excepto el de aquellas " +
      "a las que permitió conservarlo mientras usted no esté.",
    signedInAs: "Ha iniciado sesión como",
    toContinueTo: "para continuar en",
    continue: "Continuar",
    continueTo: "Continuar en {name}",
    cancel: "Cancelar",
    anotherAccount: "Usar otra cuenta",
    yourAccount: "Su cuenta",
    connectedApps: "Aplicaciones conectadas",
  },
  footer: {
    support: "Ayuda",
    privacy: "Privacidad",
    terms: "Condiciones de uso",
  },
  home: {
    lead:
      "Inicie sesión para ver dónde tiene sesiones abiertas y qué aplicaciones pueden usar su " +
      "cuenta.",
    signedIn: "Vea dónde tiene sesiones abiertas y qué aplicaciones pueden usar su cuenta, " +
      "o cierre la sesión.",
  },
  signIn: {
    failed: "El nombre de usuario y la contraseña no coinciden. Inténtelo de nuevo.",
    username: "Nombre de usuario",
    usernameOrEmail: "Nombre de usuario o correo electrónico",
    password: "Contraseña",
    oneClick: "Iniciar sesión con un clic",
    otherUser: "Otro usuario",
    unknownUser: "Cualquier nombre de usuario",
    details: "Detalles de este inicio de sesión",
    asRequested: "según la solicitud",
    orPassword: "o con una contraseña",
    yourAccount: "su cuenta",
  },
  selectAccount: {
    title: "Elija una cuenta",
    continueAs: "Continuar como {name}",
  },
  consent: {
    title: "Permitir el acceso",
    question: "¿Permitir el acceso?",
    wantsAccess: "quiere usar su cuenta",
    allow: "Permitir",
    deny: "Rechazar",
    takeBack: "Puede retirar este permiso en cualquier momento en {page}.",
    redirect: "Se le redirigirá a {address}",
    permissions: "Permisos: {total}",
    permissionsOf: "Permisos: {chosen} de {total}",
  },
  access: {
    aboutYou: "Información sobre usted",
    actions: "Lo que podrá hacer",
    where: "Dónde se aplica",
    before: "Ya permitido",
    includes: "Incluye: {claims}",
    more: "Mostrar {count} más",
  },
  scopes: {
    openid: "Saber quién es usted",
    profile: "Ver su nombre, su foto y otros datos de su perfil",
    email: "Ver su dirección de correo electrónico",
    address: "Ver su dirección postal",
    phone: "Ver su número de teléfono",
    offline_access: "Conservar este acceso mientras usted no esté, hasta que lo retire",
    groups: "Ver sus grupos",
  },
  claims: {
    name: "Nombre completo",
    family_name: "Apellidos",
    given_name: "Nombre de pila",
    middle_name: "Segundo nombre",
    nickname: "Apodo",
    preferred_username: "Nombre de usuario preferido",
    profile: "Página de perfil",
    picture: "Foto",
    website: "Sitio web",
    gender: "Género",
    birthdate: "Fecha de nacimiento",
    zoneinfo: "Zona horaria",
    locale: "Idioma y región",
    updated_at: "Último cambio de su perfil",
    email: "Dirección de correo electrónico",
    email_verified: "Si su dirección de correo electrónico está verificada",
    address: "Dirección postal",
    phone_number: "Número de teléfono",
    phone_number_verified: "Si su número de teléfono está verificado",
  },
  untrustedClient: {
    describesItself: "Esta aplicación se describe a sí misma en {host}.",
    registeredItself: "Esta aplicación se registró por su cuenta.",
    notVerified: "Su identidad no está verificada.",
    sentTo: "Lo que usted permita se enviará a {receivers}.",
  },
  clientLinks: {
    about: "Acerca de esta aplicación:",
    website: "sitio web",
    privacyPolicy: "política de privacidad",
    terms: "condiciones de uso",
    logo: "logotipo",
  },
  signedOut: {
    title: "Sesión cerrada",
    heading: "Ha cerrado la sesión",
    leadsTo: "El botón lleva a {address}",
    frame: "Cierre de sesión en una aplicación",
  },
  formPost: {
    title: "Volver a la aplicación",
  },
  error: {
    kinds: {
      badRequest: {
        title: "No se puede completar esta solicitud",
        advice: "La aplicación desde la que ha llegado envió una solicitud no válida. Póngase en " +
          "contacto con los responsables de la aplicación.",
      },
      denied: {
        title: "Acceso denegado",
        advice: "Usted o el servidor no permitieron esta solicitud.",
      },
      notMember: {
        title: "No puede usar esta aplicación",
        advice: "Pida acceso a quienes administran este servidor.",
      },
      expired: {
        title: "Esta página ha caducado",
        advice: "Vuelva a la aplicación y empiece de nuevo.",
      },
      replaced: {
        title: "Hay una solicitud más reciente",
        advice: "La aplicación envió una solicitud más reciente, así que esta ya no es válida. " +
          "Revise la más reciente en la página de su cuenta.",
      },
      notFound: {
        title: "Página no encontrada",
        advice: "Compruebe la dirección o vaya a la página de inicio.",
      },
      wrongMethod: {
        title: "Esta página no se puede abrir así",
        advice: "Vuelva a la aplicación y empiece de nuevo.",
      },
      tooMany: {
        title: "Demasiados intentos",
        advice: "Ha habido demasiados intentos en poco tiempo.",
      },
      unavailable: {
        title: "No disponible por el momento",
        advice: "El servidor no puede hacerlo en este momento.",
      },
      serverError: {
        title: "Algo ha fallado",
        advice: "El error es nuestro, no suyo. Vuelva a intentarlo en unos instantes.",
      },
    },
    tryAgain: "Inténtelo de nuevo {when}.",
    application: {
      knowsNothing: "No se ha enviado nada a la aplicación desde la que ha llegado.",
      canBeTold: "No se ha enviado nada a la aplicación desde la que ha llegado. Puede avisarla:",
      mayNotKnow: "Ya se envió una respuesta a la aplicación. Si no le ha llegado, puede avisarla:",
    },
  },
};
