import type { Locale } from './messages.ts';

const fr: Locale = {
  'embed-label': 'Lecteur du clip',
  'preview-label': 'Aperçu du clip',
  play: 'Lire\u202f: {0}',
  loading: 'Chargement…',
  retry: 'Réessayer',
  open: 'Ouvrir dans un nouvel onglet',
  export: 'Exporter',
  starting: 'Démarrage…',
  exporting: 'Exportation…',
  'exporting-share': 'Exportation… {0}',
  'time-left': 'Il reste environ {0}',
  download: 'Télécharger',
  'check-again': 'Vérifier à nouveau',
  'announce-start': 'L’exportation a commencé.',
  'announce-share': 'Exportation\u202f: {0}',
  'announce-ready': 'L’exportation est terminée.',
  stalled: 'La connexion est interrompue. Les tentatives se poursuivent.',
  waiting: 'Le site est occupé. Prochain essai dans environ {0}.',
  'export-again': 'Exporter avec les nouvelles options',
  'export-version': 'Exporter la nouvelle version',
  'export-of': 'Utiliser l’exportation du {0}',
  'list-label': 'Liste des clips',
  'list-working': 'Création des clips…',
  'list-empty': 'Il n’y a pas encore de clips.',
  'list-more': 'Afficher plus ({0})',
  score: 'Note\u202f: {0} sur 100',
  'announce-clips': 'Nombre de clips\u202f: {0}',
  'announce-complete': 'Tous les clips sont là.',
  'attempt-mismatch': 'Cette exportation a déjà été demandée avec d’autres options.',
  'clip-not-found': 'Ce clip est introuvable dans votre compte.',
  'endpoint-not-found':
    'Cette page s’adresse au mauvais endroit : rien ne répond à son point d’accès.',
  'export-failed': 'L’exportation a échoué. Lancez-en une nouvelle.',
  'export-limit': 'Votre forfait ne permet pas d’autres exportations pour le moment.',
  'export-mismatch':
    'Ce site a répondu avec l’exportation d’un autre clip. Elle n’est pas affichée.',
  'export-not-found': 'Cette exportation n’existe plus.',
  'export-not-started':
    'L’exportation n’a pas commencé. Réessayez\u202f: elle ne sera pas lancée deux fois.',
  'export-outcome-unknown':
    'On ne sait pas encore si l’exportation a démarré. La vérification est en cours\u202f; rien ne sera lancé deux fois.',
  'export-outcome-unresolved':
    'Ce site ne peut pas dire si l’exportation a commencé. Un nouvel essai peut en consommer une autre.',
  forbidden: 'Vous n’avez pas l’autorisation nécessaire.',
  'frame-blank':
    'La page du clip ne s’est pas chargée. Elle est peut-être momentanément indisponible.',
  'frame-blocked': 'La politique de sécurité de ce site ne permet pas d’afficher le clip.',
  'frame-timeout': 'Le clip ne s’est pas chargé à temps.',
  'invalid-answer': 'La réponse de ce site n’a pas pu être lue.',
  'load-failed': 'Une partie de cette page n’a pas pu être chargée. Rechargez la page.',
  network: 'La connexion a échoué.',
  'rate-limited': 'Trop de demandes. Patientez un instant, puis réessayez.',
  'service-error': 'Le service rencontre un problème. Réessayez dans un instant.',
  'task-failed': 'La vidéo n’a pas pu être traitée.',
  timeout: 'La réponse n’est pas arrivée à temps.',
  'token-failed': 'L’accès à ce clip n’a pas pu être obtenu.',
  unauthenticated: 'Aucune session n’est ouverte. Connectez-vous, puis réessayez.',
};

export default fr;
