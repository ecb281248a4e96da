import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoint, isRemoteUrl } from '../../src/remote/remote-call.ts';

test('a server is asked over https, or over http in the own network', () => {
  const good = [
    'https://api.example.com/v1',
    'http://localhost:8000',
    'http://whisper:8000/v1',
    'http://gpu.internal/v1',
    'http://127.0.0.1:5000',
    'http://10.1.2.3',
    'http://192.168.0.9:9000/v1',
    'http://172.16.0.1',
    'http://[::1]:80/',
    'http://[fd00::7]/',
  ];
  const bad = [
    'http://api.example.com/v1',
    'http://172.32.0.1',
    'http://8.8.8.8',
    'https://user:word@api.example.com',
    'https://api.example.com/v1?key=1',
    'ftp://api.example.com',
    'api.example.com',
    '',
  ];
  for (const url of good) assert.ok(isRemoteUrl(url), url);
  for (const url of bad) assert.ok(!isRemoteUrl(url), url);
});

test('an operation is found below the base, or is the address itself', () => {
  const cases = [
    ['https://h', 'https://h/v1/chat/completions'],
    ['https://h/v1', 'https://h/v1/chat/completions'],
    ['https://h/v1/', 'https://h/v1/chat/completions'],
    ['https://h/openai/v1', 'https://h/openai/v1/chat/completions'],
    ['https://h/x/chat/completions', 'https://h/x/chat/completions'],
  ] as const;
  for (const [base, url] of cases) assert.equal(endpoint(base, '/chat/completions'), url);
});
