import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';

type Registry = typeof import('../../src/locales/registry.ts');

/** A registry with nothing loaded yet. */
let registry: Registry;
let copies = 0;
beforeEach(async () => {
  registry = (await import(`../../src/locales/registry.ts?copy=${++copies}`)) as Registry;
});

const arrival = (): Promise<void> => new Promise((resolve) => registry.onTexts(resolve));

/** The word for an export in a language, once its texts are loaded. */
async function word(language: string): Promise<string> {
  const arrived = arrival();
  assert.equal(registry.getText(language, 'export', 'Export'), 'Export', 'English meanwhile');
  await arrived;
  return registry.getText(language, 'export', 'Export');
}

describe('text', () => {
  for (const [languages, expected] of [
    [['ar', 'ar-EG', 'AR'], 'تصدير'],
    [['de', 'de-AT', 'de-Latn-CH'], 'Exportieren'],
    [['es', 'es-419', 'es-MX'], 'Exportar'],
    [['fr', 'fr-CA'], 'Exporter'],
    [['he', 'he-IL'], 'ייצוא'],
    [['hi', 'hi-IN'], 'एक्सपोर्ट करें'],
    [['id'], 'Ekspor'],
    [['it', 'it-CH'], 'Esporta'],
    [['ja', 'ja-JP'], 'エクスポート'],
    [['ko', 'ko-KR'], '내보내기'],
    [['nl', 'nl-BE'], 'Exporteren'],
    [['pl'], 'Eksportuj'],
    [['pt', 'pt-BR', 'pt-PT', 'pt-AO'], 'Exportar'],
    [['ru'], 'Экспортировать'],
    [['sv', 'sv-FI'], 'Exportera'],
    [['tr'], 'Dışa aktar'],
    [['uk'], 'Експортувати'],
    [['vi'], 'Xuất'],
    [['zh', 'zh-CN', 'zh-Hans', 'zh-Hans-HK', 'zh-SG'], '导出'],
  ] as const) {
    for (const language of languages) {
      it(`${language}: ${expected}`, async () => assert.equal(await word(language), expected));
    }
  }

  it('is English for a language that the kit has not, and for an invalid one', () => {
    for (const language of ['en', 'en-GB', 'fi', '', '-', 'constructor', '__proto__']) {
      assert.equal(registry.getText(language, 'export', 'Export'), 'Export');
    }
  });

  for (const language of ['zh-Hant', 'zh-TW', 'zh-HK', 'zh-Hant-MO']) {
    it(`${language} gets no simplified characters, but the page’s own texts`, async () => {
      await word('zh');
      assert.equal(registry.getText(language, 'export', 'Export'), 'Export');
      registry.registerLocale(language, { export: '匯出' });
      assert.equal(registry.getText(language, 'export', 'Export'), '匯出');
    });
  }

  it('Portuguese is that of Brazil there and without a region, elsewhere that of Portugal', async () => {
    for (const language of ['pt', 'pt-PT']) await word(language);
    const downloads = ['pt', 'pt-BR', 'pt-PT', 'pt-AO', 'PT-mz'].map((language) =>
      registry.getText(language, 'download', 'Download'),
    );
    assert.deepEqual(downloads, ['Baixar', 'Baixar', 'Transferir', 'Transferir', 'Transferir']);
  });

  it('the page’s own texts win, whether they come before the kit’s or after', async () => {
    registry.registerLocale('fr', { export: 'Enregistrer' });
    const arrived = arrival();
    assert.equal(registry.getText('fr', 'export', 'Export'), 'Enregistrer');
    await arrived;
    assert.equal(registry.getText('fr', 'export', 'Export'), 'Enregistrer');
    assert.equal(registry.getText('fr', 'download', 'Download'), 'Télécharger');
    registry.registerLocale('fr', { download: 'Prendre' });
    assert.equal(registry.getText('fr', 'download', 'Download'), 'Prendre');
  });

  it('texts for zh-Hant are for its regions too', () => {
    registry.registerLocale('zh-Hant', { export: '匯出' });
    assert.equal(registry.getText('zh-Hant-HK', 'export', 'Export'), '匯出');
  });

  it('a region’s texts win over its language’s', () => {
    registry.registerLocale('es', { export: 'Exportar' });
    registry.registerLocale('es-MX', { export: 'Guardar' });
    assert.equal(registry.getText('es-MX', 'export', 'Export'), 'Guardar');
    assert.equal(registry.getText('es-AR', 'export', 'Export'), 'Exportar');
  });
});

describe('textLanguage', () => {
  it('is the language that the text comes in', async () => {
    assert.equal(registry.getTextLanguage('fi', 'time-left'), 'en');
    registry.registerLocale('fi', { 'time-left': 'Noin {0} jäljellä' });
    assert.equal(registry.getTextLanguage('fi-FI', 'time-left'), 'fi-FI');
    assert.equal(registry.getTextLanguage('fi', 'export'), 'en');
    assert.equal(registry.getTextLanguage('de', 'export'), 'en', 'still on its way');
    await arrival();
    assert.equal(registry.getTextLanguage('de', 'export'), 'de');
  });
});
