/**
 * Texts with a special meaning in a filter graph, in ASS, in a style sheet, in a shell or in a
 * terminal.
 */
export const hostileTexts = [
  "'",
  "a':drawtext=textfile=/etc/passwd:x='",
  '[v];movie=/etc/passwd[x]',
  ':;,[]',
  '%{eif:1:d}',
  '%{metadata:title}',
  '{\\p1}m 0 0 l 900 0 900 900 0 900{\\p0}',
  '{\\fs400}large',
  '{\\pos(0,0)\\an7}moved',
  '{\\b1',
  '}{',
  '\\N\\N\\N\\Nlow',
  '\\{\\fs400}',
  'one\nDialogue: 9,0:00:00.00,9:00:00.00,Default,,0,0,0,,two',
  'one\r\n[Fonts]\nfontname: x.ttf',
  'one\u2028two\u2029three\u0085four',
  'nul\0 bell\u0007 escape\u001b[2J',
  '\u202Eright to left\u2066',
  '@import url(file:///etc/passwd);',
  '<script>alert(1)</script>',
  '$(touch x) `touch x` ; touch x',
  '-vf -i',
];
