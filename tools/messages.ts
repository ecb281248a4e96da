/** `npm run messages`: prints every text that users and integrators read, by package and file. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

export type Kind = 'error' | 'command line' | 'tool' | 'OpenAPI' | 'interface' | 'other';

export interface Message {
  readonly line: number;
  readonly kind: Kind;
  /** With `{expression}` where the sources insert a value. */
  readonly text: string;
}

/** The English texts of the interface, which need no context to be recognized. */
const interfaceFile = /^test\/locales\/english\.ts$|\/locales\/(?:editor-)?en\.json$/;

const kindsByProperty: Readonly<Record<string, Kind>> = {
  detail: 'error',
  message: 'error',
  summary: 'OpenAPI',
  details: 'OpenAPI',
};

/** Returns the kind of texts that a function or class takes; undefined if its name does not say. */
function findKindOfCall(name: string): Kind | undefined {
  if (/(?:Error|Problem)$|^(?:refuse|reject|fail|assert)/.test(name)) return 'error';
  if (/^(?:console\.|log)|\.(?:out|write)$|^print/.test(name)) return 'command line';
  if (/^describe[A-Z]/.test(name)) return 'OpenAPI';
  return name === 'addTool' ? 'tool' : undefined;
}

function findKind(node: ts.Node, path: string): Kind {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isThrowStatement(at)) return 'error';
    const kind =
      ts.isCallExpression(at) || ts.isNewExpression(at)
        ? findKindOfCall(at.expression.getText())
        : ts.isPropertyAssignment(at) && !path.startsWith('packages/mcp/')
          ? kindsByProperty[at.name.getText()]
          : undefined;
    if (kind) return kind;
  }
  if (/^packages\/mcp\/src\/tools\//.test(path)) return 'tool';
  if (/\/(?:routes|api)\//.test(path)) return 'OpenAPI';
  return /\/(?:cli|program|commands)\/|\/(?:main|cli)\.ts$/.test(path) ? 'command line' : 'other';
}

/** The text of a string, a template or a sum of both; undefined for other expressions. */
function readText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map(
      ({ expression, literal }) => `{${expression.getText().replace(/\s+/g, ' ')}}${literal.text}`,
    );
    return node.head.text + spans.join('');
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return;
  const [left, right] = [readText(node.left), readText(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

/** Statements of SQL, their parts, patterns, styles, markup, and lists of words or codes. */
const isCode =
  /^(?:select|insert into|update \S+ set|delete from|create \w+ \w*|with \w+ as|alter|drop)\b|\w (?:not null|is (?:not )?(?:null|distinct)|where \w+ (?:[=<]|is)|on conflict)|\|.*\||\{\n|^[a-z-]+: |^<\?|=> |^\p{Ll}+(?: \p{Ll}{2,}){9,}$/isu;
const plainWord = /^[“"`(]?[A-Za-z][a-z’']*[.,:;!?)”"`]*$/;
const commonWord =
  /\b(?:an?|and|are|at|be|by|can(?:not)?|for|has|have|in|is|it|its|must|no|not|of|on|or|the|this|to|was|with)\b/;

/** Whether a text is a sentence, or enough of one for a person to read. */
function isProse(text: string, kind: Kind): boolean {
  const written = text.replace(/\{[^}]*\}/g, '#').trim();
  if (written.split(/\s+/).filter((word) => plainWord.test(word)).length < 2) return false;
  return (
    kind !== 'other' ||
    ((/^[A-Z]|\. /.test(written) || commonWord.test(written)) && !isCode.test(written))
  );
}

/** Types, imports, tagged templates and names of properties hold no texts. */
const isSkipped = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  (ts.isTaggedTemplateExpression(node) && /^(?:css|sql)/.test(node.tag.getText()));

/** The texts of a file of TypeScript, JavaScript or JSON. */
export function findMessages(path: string, code: string): Message[] {
  const isInterface = interfaceFile.test(path);
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const found: Message[] = [];
  const visit = (node: ts.Node): void => {
    if (isSkipped(node)) return;
    const isTag = ts.isTaggedTemplateExpression(node.parent ?? source);
    const text = isTag ? undefined : readText(node);
    if (
      text !== undefined &&
      !(ts.isPropertyAssignment(node.parent) && node.parent.name === node)
    ) {
      const kind = isInterface ? 'interface' : findKind(node, path);
      if (isInterface || isProse(text, kind)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push({ line: line + 1, kind, text });
        if (!ts.isTemplateExpression(node)) return;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

if (import.meta.main) {
  const listed = ['src', 'packages/*/src/*', 'demo/server', 'test/locales/english.ts'];
  const paths = execFileSync('git', ['ls-files', ...listed], { encoding: 'utf8' }).trim();
  for (const path of paths.split('\n')) {
    if (!path.endsWith('.ts') && !interfaceFile.test(path)) continue;
    const messages = findMessages(path, readFileSync(path, 'utf8'));
    if (messages.length > 0) console.log(`\n${path}`);
    for (const { line, kind, text } of messages) console.log(`${line}\t${kind}\t${text}`);
  }
}
