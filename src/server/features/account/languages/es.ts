import type { AccountPageWords } from "./en.ts";

export const es: AccountPageWords = {
  account: {
    waitingRequests: "Espera su decisión",
    waitingAdvice: "Una aplicación pregunta por su cuenta. Revise solo lo que haya iniciado usted.",
    waitingTime: "Caduca {when}.",
    reviewRequest: "Revisar",
    sessions: "Dónde tiene la sesión iniciada",
    thisBrowser: "Este navegador",
    browserOn: "{browser} en {system}",
    unknownBrowser: "Navegador desconocido",
    signedIn: "Sesión iniciada {when}",
    endOthers: "Cerrar las demás sesiones",
    passwordChanged: "Último cambio: {when}",
    changePassword: "Cambiar la contraseña",
    someApps: "Estas aplicaciones pueden usar su cuenta. Si elimina una, tendrá que volver a " +
      "pedirle permiso.",
    moreApps: "Más aplicaciones",
    noApps: "Ninguna aplicación puede usar su cuenta.",
    onDevice: "En su propio dispositivo",
    describesItself: "Se describe a sí misma en {host}",
    registeredItself: "Se registró por su cuenta",
    sentTo: "Lo que usted permitió se envía a {receivers}",
    since: "Desde el {date}",
    lastAllowed: "Último permiso: {date}",
    remove: "Retirar el acceso",
    byOperator: "Permitida por su administrador",
  },
  changePassword: {
    effect:
      "En este navegador seguirá con la sesión iniciada; en los demás lugares se cerrará. En " +
      "las aplicaciones que use allí tendrá que volver a iniciar sesión.",
    current: "Contraseña actual",
    next: "Nueva contraseña",
    rule: "Al menos {count} caracteres. Unas cuantas palabras sin relación entre sí son fáciles " +
      "de recordar y difíciles de adivinar.",
    repeat: "Repita la nueva contraseña",
    problems: {
      wrong: "La contraseña actual no es correcta. Inténtelo de nuevo.",
      tooShort: "La nueva contraseña es demasiado corta.",
      isName: "La nueva contraseña no puede ser su nombre de usuario ni su correo electrónico.",
      unchanged: "La nueva contraseña no puede ser la actual.",
      notRepeated: "Las nuevas contraseñas no coinciden. Vuelva a escribir las dos.",
    },
  },
  choosePassword: {
    title: "Elija una contraseña",
    invite: "¡Bienvenido! Esta será la contraseña de su cuenta {user}.",
    reset: "Sustituye la contraseña de su cuenta {user} y cierra todas sus sesiones.",
    save: "Guardar contraseña",
    done: "Su contraseña se ha guardado",
    next: "Inicie sesión con ella como {user}.",
    void: "Este enlace no funciona",
    ask:
      "Ha caducado, ya se usó o fue sustituido por otro más reciente. Pida otro a la persona que se lo envió.",
  },
};
