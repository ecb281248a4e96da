import lit from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import regexp from 'eslint-plugin-regexp';
import wc from 'eslint-plugin-wc';
import tseslint from 'typescript-eslint';
import language from './tools/eslint-language.ts';

export default tseslint.config(
  {
    ignores: [
      '**/node_modules',
      '**/dist',
      '**/.next',
      '.data',
      'custom-elements.json',
      // Made from the manifest.
      'src/react/!(wrap.ts)',
      'test/package/fixtures',
      'test/sites/*/app',
      // The docs site is built beside the lint step, and takes this folder away again.
      'tools/site/.vitepress/.temp',
    ],
  },
  ...tseslint.configs.recommended,
  lit.configs['flat/recommended'],
  {
    files: ['src/elements/**/*.ts', 'demo/pages/**/*.ts'],
    plugins: { wc, 'lit-a11y': litA11y },
    rules: {
      ...wc.configs['flat/best-practice'].rules,
      ...litA11y.configs.recommended.rules,
      // Safari takes a list without markers for no list, unless it has the role.
      'lit-a11y/no-redundant-role': 'off',
    },
  },
  {
    rules: {
      // Only comments: Prettier wraps the code.
      'max-len': [
        'error',
        {
          code: 10_000,
          comments: 100,
          ignoreUrls: true,
          ignorePattern: '^\\s*(//|/?\\*+) (eslint|prettier|@vite)',
        },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            ':matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator:not([id.typeAnnotation]) > ArrowFunctionExpression[body.type="BlockStatement"]',
          message: 'Declare a top-level function with a body as a function.',
        },
      ],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'off',
      '@typescript-eslint/no-unused-vars': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'packages/*/src/**/*.ts', 'tools/**/*.ts', 'demo/**/*.ts'],
    plugins: { language },
    rules: { 'language/function-name': 'error', 'language/doc-opening': 'error' },
  },
  {
    // Text of other people reaches most patterns: each must read it in linear time.
    files: ['src/**/*.ts', 'packages/*/src/**/*.{ts,mjs}'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: ['packages/{service,engine}/src/**/*.ts'],
    ignores: [
      'packages/service/src/config/**',
      'packages/service/src/main.ts',
      'packages/engine/src/cli.ts',
      'packages/engine/src/program/**',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'The environment is read under config/.' },
      ],
    },
  },
);
