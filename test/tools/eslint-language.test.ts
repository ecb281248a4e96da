import { RuleTester } from 'eslint';
import { describe, it } from 'node:test';
import tseslint from 'typescript-eslint';
import language from '../../tools/eslint-language.ts';

RuleTester.describe = describe;
RuleTester.it = it;
const tester = new RuleTester({ languageOptions: { parser: tseslint.parser } });

tester.run('function-name', language.rules['function-name'], {
  valid: [
    'function readBody() {}',
    'export const listPages = () => [];',
    'const toText = (value: string): string => value;',
    'export const median = (values: number[]) => values[0];',
    'export function memoryStore() {}',
    // Only top-level functions are judged, and a constructor is not a function to its readers.
    'const pageTitle = 1; function run() { const body = () => 1; }',
    'export const Clip = () => null;',
  ],
  invalid: ['bodyOf', 'body', 'refused', 'drawOf'].flatMap((name) => [
    { code: `function ${name}() {}`, errors: 1 },
    { code: `export const ${name} = () => 1;`, errors: 1 },
  ]),
});

tester.run('doc-opening', language.rules['doc-opening'], {
  valid: [
    '/** Returns the body. */ const a = 1;',
    '/* Howl: a sound. */ const a = 1;',
    '// What a line comment says is free. \n const a = 1;',
    '/** Item of a list. */ const a = 1;',
  ],
  invalid: [
    '/** What is read. */ const a = 1;',
    '/**\n * How it is read.\n */ const a = 1;',
    'interface A { /** Its name. */ a: string }',
  ].map((code) => ({ code, errors: 1 })),
});
