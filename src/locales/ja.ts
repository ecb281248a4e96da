import type { Locale } from './messages.ts';

const ja: Locale = {
  'embed-label': 'クリップのプレーヤー',
  'preview-label': 'クリップのプレビュー',
  play: '再生：{0}',
  loading: '読み込み中…',
  retry: '再試行',
  open: '新しいタブで開く',
  export: 'エクスポート',
  starting: '開始しています…',
  exporting: 'エクスポート中…',
  'exporting-share': 'エクスポート中… {0}',
  'time-left': '残り約 {0}',
  download: 'ダウンロード',
  'check-again': 'もう一度確認',
  'announce-start': 'エクスポートを開始しました。',
  'announce-share': 'エクスポート：{0}',
  'announce-ready': 'エクスポートが完了しました。',
  stalled: '接続が中断しています。再試行を続けています。',
  waiting: 'サイトが混み合っています。約{0}後にもう一度確認します。',
  'export-again': '新しいオプションで書き出す',
  'attempt-mismatch': 'このエクスポートは、すでに別のオプションで依頼されています。',
  'clip-not-found': 'このクリップは、お使いのアカウントに見つかりませんでした。',
  'endpoint-not-found':
    'このページの問い合わせ先が間違っています。エンドポイントから応答がありません。',
  'export-failed': 'エクスポートに失敗しました。新しく開始してください。',
  'export-limit': '現在、ご利用のプランではこれ以上エクスポートできません。',
  'export-mismatch': 'サイトが別のクリップの書き出しを返しました。表示しません。',
  'export-not-found': 'このエクスポートはもう存在しません。',
  'export-not-started':
    'エクスポートは開始されず、何も消費されていません。もう一度お試しください。',
  'export-outcome-unknown':
    'エクスポートが開始されたかどうかは、まだわかりません。確認中です。二重に開始されることはありません。',
  'export-outcome-untold':
    '書き出しが始まったかどうか、このサイトではわかりません。もう一度試すと、さらに1回分を使う可能性があります。',
  forbidden: 'この操作を行う権限がありません。',
  'frame-blank': 'クリップのページを読み込めませんでした。一時的に利用できない可能性があります。',
  'frame-blocked': 'このサイトのセキュリティポリシーにより、クリップを表示できません。',
  'frame-timeout': 'クリップを時間内に読み込めませんでした。',
  'invalid-answer': 'このサイトからの応答を読み取れませんでした。',
  'load-failed': 'ページの一部を読み込めませんでした。ページを再読み込みしてください。',
  network: '接続に失敗しました。',
  'rate-limited': 'リクエストが多すぎます。しばらく待ってから、もう一度お試しください。',
  'service-error': 'サービスで問題が発生しています。しばらくしてから、もう一度お試しください。',
  timeout: '時間内に応答がありませんでした。',
  'token-failed': 'このクリップへのアクセスを取得できませんでした。',
  unauthenticated: 'サインインしていません。サインインしてから、もう一度お試しください。',
};

export default ja;
