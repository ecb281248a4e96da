import type { Locale } from './messages.ts';

const es: Locale = {
  'embed-label': 'Reproductor del clip',
  'preview-label': 'Vista previa del clip',
  play: 'Reproducir: {0}',
  loading: 'Cargando…',
  retry: 'Reintentar',
  open: 'Abrir en una pestaña nueva',
  export: 'Exportar',
  starting: 'Iniciando…',
  exporting: 'Exportando…',
  'exporting-share': 'Exportando… {0}',
  'time-left': 'Quedan aproximadamente {0}',
  download: 'Descargar',
  'check-again': 'Comprobar de nuevo',
  'announce-start': 'La exportación ha comenzado.',
  'announce-share': 'Exportación: {0}',
  'announce-ready': 'La exportación está lista.',
  stalled: 'Se ha interrumpido la conexión. Se sigue intentando.',
  waiting: 'El sitio está ocupado. Próximo intento en unos {0}.',
  'export-again': 'Exportar con las nuevas opciones',
  'attempt-mismatch': 'Esta exportación ya se solicitó con otras opciones.',
  'clip-not-found': 'No se ha encontrado este clip en su cuenta.',
  'endpoint-not-found':
    'Esta página pregunta en la dirección equivocada: nada responde en su punto de acceso.',
  'export-failed': 'La exportación ha fallado. Inicie una nueva.',
  'export-limit': 'Su plan no permite más exportaciones por el momento.',
  'export-mismatch': 'Este sitio respondió con la exportación de otro clip. No se muestra.',
  'export-not-found': 'Esta exportación ya no existe.',
  'export-not-started':
    'La exportación no se ha iniciado y no se ha consumido nada. Inténtelo de nuevo.',
  'export-outcome-unknown':
    'Aún no se sabe si la exportación se ha iniciado. Se está comprobando; nada se iniciará dos veces.',
  'export-outcome-untold':
    'Este sitio no puede decir si la exportación comenzó. Otro intento puede consumir una más.',
  forbidden: 'No tiene permiso para hacer esto.',
  'frame-blank':
    'La página del clip no se ha cargado. Es posible que no esté disponible por el momento.',
  'frame-blocked': 'La política de seguridad de este sitio no permite mostrar el clip.',
  'frame-timeout': 'El clip no se ha cargado a tiempo.',
  'invalid-answer': 'No se ha podido leer la respuesta de este sitio.',
  'load-failed': 'No se ha podido cargar una parte de esta página. Vuelva a cargar la página.',
  network: 'Ha fallado la conexión.',
  'rate-limited': 'Demasiadas solicitudes. Espere un momento e inténtelo de nuevo.',
  'service-error': 'El servicio tiene un problema. Inténtelo de nuevo en unos instantes.',
  timeout: 'La respuesta no ha llegado a tiempo.',
  'token-failed': 'No se ha podido obtener acceso a este clip.',
  unauthenticated: 'No ha iniciado sesión. Inicie sesión e inténtelo de nuevo.',
};

export default es;
