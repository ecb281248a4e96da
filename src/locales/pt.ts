import type { Locale } from './messages.ts';

/** Portuguese for Portugal and Brazil: where the two differ, the word that both understand. */
const pt: Locale = {
  'embed-label': 'Leitor do clipe',
  'preview-label': 'Pré-visualização do clipe',
  play: 'Reproduzir: {0}',
  loading: 'Carregamento em curso…',
  retry: 'Tentar novamente',
  open: 'Abrir em nova janela',
  export: 'Exportar',
  starting: 'Preparação em curso…',
  exporting: 'Exportação em curso…',
  'exporting-share': 'Exportação em curso… {0}',
  'time-left': 'Faltam cerca de {0}',
  download: 'Fazer download',
  'check-again': 'Verificar novamente',
  'announce-start': 'A exportação começou.',
  'announce-share': 'Exportação: {0}',
  'announce-ready': 'A exportação está pronta.',
  stalled: 'A conexão foi interrompida. As tentativas continuam.',
  waiting: 'O site está ocupado. Próxima tentativa em cerca de {0}.',
  'export-again': 'Exportar com as novas opções',
  'attempt-mismatch': 'Esta exportação já foi pedida com outras opções.',
  'clip-not-found': 'Este clipe não foi encontrado na sua conta.',
  'endpoint-not-found':
    'Esta página pergunta no endereço errado: nada responde em seu ponto de acesso.',
  'export-failed': 'A exportação falhou. Inicie uma nova.',
  'export-limit': 'O seu plano não permite mais exportações neste momento.',
  'export-mismatch': 'Este site respondeu com a exportação de outro clipe. Ela não é mostrada.',
  'export-not-found': 'Esta exportação já não existe.',
  'export-not-started': 'A exportação não começou e nada foi descontado. Tente novamente.',
  'export-outcome-unknown':
    'Ainda não se sabe se a exportação começou. A verificação está em curso; nada será iniciado duas vezes.',
  'export-outcome-untold':
    'Este site não sabe dizer se a exportação começou. Outra tentativa pode consumir mais uma.',
  forbidden: 'Não tem permissão para fazer isto.',
  'frame-blank': 'A página do clipe não carregou. Pode estar indisponível neste momento.',
  'frame-blocked': 'A política de segurança deste site não permite mostrar o clipe.',
  'frame-timeout': 'O clipe não carregou a tempo.',
  'invalid-answer': 'Não foi possível ler a resposta deste site.',
  'load-failed': 'Não foi possível carregar uma parte desta página. Recarregue a página.',
  network: 'A conexão falhou.',
  'rate-limited': 'Foram feitos muitos pedidos. Aguarde um momento e tente novamente.',
  'service-error': 'O serviço está com um problema. Tente novamente daqui a pouco.',
  timeout: 'A resposta não chegou a tempo.',
  'token-failed': 'Não foi possível obter acesso a este clipe.',
  unauthenticated: 'A sua sessão não está iniciada. Inicie sessão e tente novamente.',
};

export default pt;
