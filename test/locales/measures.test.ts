import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatDuration } from '../../src/locales/measures.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Treats all spaces as one, and removes isolates and direction marks. */
const plain = (text: string): string =>
  text.replaceAll(/\s/gu, ' ').replaceAll(/[\u200e\u200f\u061c\u2066-\u2069]/g, '');

const says = (milliseconds: number, language: string, words: string) =>
  assert.equal(plain(formatDuration(milliseconds, language)), words);

describe('formatDuration', () => {
  for (const [left, words] of [
    [0, '10 seconds'],
    [1, '10 seconds'],
    [10 * second, '10 seconds'],
    [10 * second + 1, '20 seconds'],
    [81 * second, '90 seconds'],
    [90 * second, '90 seconds'],
    [90 * second + 1, '2 minutes'],
    [2.4 * minute, '2 minutes'],
    [2.6 * minute, '3 minutes'],
    [90 * minute, '90 minutes'],
    [90 * minute + 1, '1.5 hours'],
    [1.8 * hour, '2 hours'],
    [30 * hour, '30 hours'],
  ] as const) {
    it(`${left} ms: ${words}`, () => says(left, 'en', words));
  }

  it('a time that has passed is the shortest one', () => {
    for (const left of [-5 * minute, NaN, Infinity, -Infinity]) says(left, 'en', '10 seconds');
  });

  for (const [language, seconds, minutes, hours] of [
    ['en', '20 seconds', '5 minutes', '2 hours'],
    ['de', '20 Sekunden', '5 Minuten', '2 Stunden'],
    ['fr', '20 secondes', '5 minutes', '2 heures'],
    ['es', '20 segundos', '5 minutos', '2 horas'],
    ['pt', '20 segundos', '5 minutos', '2 horas'],
    ['ja', '20 秒', '5 分', '2 時間'],
    ['zh', '20秒钟', '5分钟', '2小时'],
    ['it', '20 secondi', '5 minuti', '2 ore'],
    ['nl', '20 seconden', '5 minuten', '2 uur'],
    ['pl', '20 sekund', '5 minut', '2 godziny'],
    ['ru', '20 секунд', '5 минут', '2 часа'],
    ['uk', '20 секунд', '5 хвилин', '2 години'],
    ['sv', '20 sekunder', '5 minuter', '2 timmar'],
    ['tr', '20 saniye', '5 dakika', '2 saat'],
    ['ko', '20초', '5분', '2시간'],
    ['hi', '20 सेकंड', '5 मिनट', '2 घंटे'],
    ['id', '20 detik', '5 menit', '2 jam'],
    ['vi', '20 giây', '5 phút', '2 giờ'],
    ['he', '20 שניות', '5 דקות', 'שעתיים'],
    ['ar', '20 ثانية', '5 دقائق', 'ساعتان'],
  ] as const) {
    it(`speaks ${language}`, () => {
      says(20 * second, language, seconds);
      says(5 * minute, language, minutes);
      says(2 * hour, language, hours);
    });
  }

  it('has the Arabic dual, few and many', () => {
    says(2 * minute, 'ar', 'دقيقتان');
    says(3 * minute, 'ar', '3 دقائق');
    says(10 * second, 'ar', '10 ثوان');
    says(11 * minute, 'ar', '11 دقيقة');
  });

  it('has the numerals of a region', () => says(3 * minute, 'ar-EG', '٣ دقائق'));

  it('is English for an invalid or unknown language', () => {
    for (const language of ['', 'not a tag', 'x', '12', 'qzz', 'constructor', 'de_DE']) {
      says(20 * second, language, '20 seconds');
    }
  });
});
