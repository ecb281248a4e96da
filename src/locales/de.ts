import type { Locale } from './messages.ts';

const de: Locale = {
  'embed-label': 'Clip-Player',
  'preview-label': 'Vorschau des Clips',
  play: 'Abspielen: {0}',
  loading: 'Wird geladen …',
  retry: 'Erneut versuchen',
  open: 'In neuem Tab öffnen',
  export: 'Exportieren',
  starting: 'Wird gestartet …',
  exporting: 'Wird exportiert …',
  'exporting-share': 'Wird exportiert … {0}',
  'time-left': 'Noch etwa {0}',
  download: 'Herunterladen',
  'check-again': 'Noch einmal nachsehen',
  'announce-start': 'Der Export hat begonnen.',
  'announce-share': 'Export: {0}',
  'announce-ready': 'Der Export ist fertig.',
  stalled: 'Die Verbindung ist unterbrochen. Es wird weiter versucht.',
  waiting: 'Die Website ist ausgelastet. Nächster Versuch in etwa {0}.',
  'export-again': 'Mit neuen Optionen exportieren',
  'export-version': 'Neue Fassung exportieren',
  'export-of': 'Den Export von {0} verwenden',
  'list-label': 'Liste der Clips',
  'list-working': 'Clips werden erstellt …',
  'list-empty': 'Es gibt noch keine Clips.',
  'list-more': 'Mehr anzeigen ({0})',
  score: 'Bewertung: {0} von 100',
  'announce-clips': 'Anzahl der Clips: {0}',
  'announce-complete': 'Alle Clips sind da.',
  'attempt-mismatch': 'Dieser Export wurde schon mit anderen Optionen angefordert.',
  'clip-not-found': 'Dieser Clip wurde in Ihrem Konto nicht gefunden.',
  'endpoint-not-found':
    'Diese Seite fragt an der falschen Adresse: Unter ihrem Endpunkt antwortet nichts.',
  'export-failed': 'Der Export ist fehlgeschlagen. Starten Sie einen neuen.',
  'export-limit': 'Ihr Tarif lässt zurzeit keine weiteren Exporte zu.',
  'export-mismatch':
    'Diese Website hat mit dem Export eines anderen Clips geantwortet. Er wird nicht gezeigt.',
  'export-not-found': 'Diesen Export gibt es nicht mehr.',
  'export-not-started':
    'Der Export hat nicht begonnen. Versuchen Sie es erneut: Er wird nicht doppelt gestartet.',
  'export-outcome-unknown':
    'Es ist noch nicht bekannt, ob der Export begonnen hat. Das wird geprüft; nichts wird doppelt gestartet.',
  'export-outcome-unresolved':
    'Diese Website kann nicht sagen, ob der Export begonnen hat. Ein neuer Versuch kann einen weiteren verbrauchen.',
  forbidden: 'Dazu fehlt Ihnen die Berechtigung.',
  'frame-blank':
    'Die Seite des Clips wurde nicht geladen. Vielleicht ist sie gerade nicht erreichbar.',
  'frame-blocked':
    'Die Sicherheitsrichtlinie dieser Website lässt nicht zu, dass der Clip gezeigt wird.',
  'frame-timeout': 'Der Clip wurde nicht rechtzeitig geladen.',
  'invalid-answer': 'Die Antwort dieser Website war nicht lesbar.',
  'load-failed': 'Ein Teil dieser Seite konnte nicht geladen werden. Laden Sie die Seite neu.',
  network: 'Die Verbindung ist fehlgeschlagen.',
  'rate-limited': 'Zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es erneut.',
  'service-error': 'Der Dienst hat eine Störung. Versuchen Sie es gleich noch einmal.',
  'task-failed': 'Das Video konnte nicht verarbeitet werden.',
  timeout: 'Es kam nicht rechtzeitig eine Antwort.',
  'token-failed': 'Der Zugang zu diesem Clip war nicht zu bekommen.',
  unauthenticated: 'Sie sind nicht angemeldet. Melden Sie sich an und versuchen Sie es erneut.',
};

export default de;
