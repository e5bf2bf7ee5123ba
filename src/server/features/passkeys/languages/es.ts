import type { PasskeyWords } from "./en.ts";

export const es: PasskeyWords = {
  passkeys: {
    title: "Claves de acceso",
    lead: "Con una clave de acceso inicia sesión con su dispositivo: huella, rostro o PIN.",
    signIn: "Iniciar sesión con una clave de acceso",
    failed: "Esta clave de acceso no ha funcionado aquí. Inténtelo de nuevo o use otra.",
    needed: "Esta cuenta necesita una clave de acceso.",
    manage: "Gestionar claves de acceso",
    none: "Todavía no tiene ninguna clave de acceso.",
    ofConfiguration:
      "Su cuenta forma parte de la configuración del servidor y no puede tener claves de acceso.",
    synced: "Sincronizada",
    onOneDevice: "En un solo dispositivo",
    added: "Añadida el {date}",
    lastUsed: "Último uso {when}",
    neverUsed: "Nunca usada",
    otherHost: "Creada para {host}, así que no funciona aquí",
    name: "Nombre",
    rename: "Cambiar nombre",
    remove: "Quitar",
    add: "Añadir una clave de acceso",
    needsScript: "Para añadir una clave de acceso, use un navegador que las admita y permita los " +
      "scripts.",
    onlyPasskeys: "Iniciar sesión solo con claves de acceso",
    onlyEffect: "Su contraseña dejará de servir para iniciar sesión.",
    alsoPassword: "Permitir de nuevo mi contraseña",
    recent: "Cambios de los últimos 30 días",
    changes: {
      added: "{name} se añadió {when}",
      renamed: "Cambio de nombre a {name} {when}",
      removed: "{name} se quitó {when}",
      only: "Contraseña desactivada {when}",
      also: "Contraseña permitida de nuevo {when}",
    },
    effect: "Un cambio cierra su sesión en todos los demás sitios.",
    linkEffect:
      "Esta clave de acceso sustituye a todas las demás de su cuenta y cierra su sesión en todas partes.",
    linkDone: "Su clave de acceso está guardada. Puede iniciar sesión con ella.",
    linkVoid: "Este enlace no funciona. Ha caducado, ya se usó o lo sustituyó otro más reciente.",
    problems: {
      failed: "No se ha cambiado nada. Inténtelo de nuevo.",
      tooMany: "Tiene 20 claves de acceso. Quite una primero.",
      last: "Es su única clave de acceso y su cuenta necesita una. Añada otra primero.",
    },
  },
};
