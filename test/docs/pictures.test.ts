import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { hashPictureTexts, takenTextsFile } from '../../tools/picture-texts.ts';

it('the pictures show the texts of elements, player and editor as they are', () => {
  assert.equal(
    readFileSync(takenTextsFile, 'utf8').trim(),
    hashPictureTexts(),
    'The interface has other texts than its pictures in docs/images. Take them: npm run pictures',
  );
});
