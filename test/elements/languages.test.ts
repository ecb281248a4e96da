import { expect, fixture, html } from '@open-wc/testing';
import '../../src/index.ts';
import '../../src/define/clip-list.ts';
import type { ClipExportButton } from '../../src/elements/clip-export-button/clip-export-button.ts';
import type { ClipPreview } from '../../src/elements/clip-preview/clip-preview.ts';
import { registerLocale, getText } from '../../src/locales/registry.ts';
import { newWorld, reaches, startUntil, until } from '../support/browser-world.ts';

const within = (element: Element, selector: string) =>
  element.shadowRoot!.querySelector<HTMLElement>(selector)!;

/**
 * Texts that are drawn for each language: the export button's label, the play button's name, and an
 * error's text and button.
 */
const languages = [
  [
    'en',
    'Export',
    'Play: Clip preview',
    'This clip was not found in your account.',
    'Open in a new tab',
  ],
  [
    'de',
    'Exportieren',
    'Abspielen: Vorschau des Clips',
    'Dieser Clip wurde in Ihrem Konto nicht gefunden.',
    'In neuem Tab öffnen',
  ],
  [
    'fr-CA',
    'Exporter',
    'Lire\u202f: Aperçu du clip',
    'Ce clip est introuvable dans votre compte.',
    'Ouvrir dans un nouvel onglet',
  ],
  [
    'es-419',
    'Exportar',
    'Reproducir: Vista previa del clip',
    'No se ha encontrado este clip en tu cuenta.',
    'Abrir en una pestaña nueva',
  ],
  [
    'pt-BR',
    'Exportar',
    'Reproduzir: Prévia do clipe',
    'Não encontramos este clipe na sua conta.',
    'Abrir em uma nova guia',
  ],
  [
    'ja',
    'エクスポート',
    '再生：クリップのプレビュー',
    'このクリップは、お使いのアカウントに見つかりませんでした。',
    '新しいタブで開く',
  ],
  ['zh-Hans', '导出', '播放：短片预览', '在您的账户中找不到此短片。', '在新标签页中打开'],
  [
    'ar',
    'تصدير',
    'تشغيل: \u2068معاينة المقطع\u2069',
    'لم يُعثر على هذا المقطع في حسابك.',
    'فتح في علامة تبويب جديدة',
  ],
  [
    'he',
    'ייצוא',
    'הפעלה: \u2068תצוגה מקדימה של הקליפ\u2069',
    'הקליפ הזה לא נמצא בחשבון שלך.',
    'פתיחה בכרטיסייה חדשה',
  ],
  [
    'nl-BE',
    'Exporteren',
    'Afspelen: Voorbeeld van de clip',
    'Deze clip is niet gevonden in je account.',
    'Openen in een nieuw tabblad',
  ],
] as const;

/** The text of a slot's own content, or of an element. */
const words = (element: HTMLElement) => element.textContent!.trim();

describe('languages', () => {
  for (const [language, exporting, playing, missing, opening] of languages) {
    it(`${language}: a button, a name, an error and a link`, async () => {
      const { endpoint, frames, set } = await newWorld();
      await set({ start: 'not-found' });
      const dir = ['ar', 'he'].includes(language) ? 'rtl' : 'ltr';
      const box = await fixture(
        html`<clip-config lang=${language} dir=${dir} endpoint=${endpoint}>
          <clip-preview project="a" loading="click" player-url=${frames}></clip-preview>
          <clip-preview
            project="b"
            loading="eager"
            timeout="50"
            player-url="${frames}/hang"
          ></clip-preview>
          <clip-export-button project="a"></clip-export-button>
        </clip-config>`,
      );
      const [poster, late] = box.querySelectorAll<ClipPreview>('clip-preview');
      const button = box.querySelector<ClipExportButton>('clip-export-button')!;
      await until(() => words(within(button, '[part="button"]')) === exporting);
      await until(() => within(poster!, '[part="play"]').ariaLabel === playing);
      await reaches(late!, 'error');
      expect(words(within(late!, '.open'))).to.equal(opening);
      await startUntil(button, 'error');
      expect(words(within(button, '[part="status"]'))).to.equal(missing);
      await expect(box).to.be.accessible();
    });
  }

  it('the export button has the same size with each of its labels', async () => {
    const { endpoint } = await newWorld();
    const all = 'en ar de es fr he hi id it ja ko nl pl pt pt-pt ru sv tr uk vi zh'.split(' ');
    const box = await fixture(html`
      <div>
        ${all.map(
          (language) =>
            html`<clip-config lang=${language} endpoint=${endpoint}>
              <clip-export-button project="a"></clip-export-button>
            </clip-config>`,
        )}
      </div>
    `);
    for (const button of box.querySelectorAll<ClipExportButton>('clip-export-button')) {
      const { lang } = button.parentElement!;
      const control = within(button, '[part="button"]');
      await until(() => getText(lang, 'export', '') === words(control) || lang === 'en');
      const size = () => {
        const { width, height } = control.getBoundingClientRect();
        return [width, height];
      };
      const before = size();
      for (const label of [
        getText(lang, 'exporting-share', 'Exporting… {0}').replace('{0}', '100\u00a0%'),
        getText(lang, 'starting', 'Starting…'),
        getText(lang, 'finishing', 'Finishing…'),
        getText(lang, 'download', 'Download'),
      ]) {
        control.querySelector('slot')!.textContent = label;
        expect(size(), `${lang}: ${label}`).to.deep.equal(before);
      }
    }
  });

  it('Arabic runs from the right: what comes first is on the right, and so is the start of the bar', async () => {
    const { endpoint, frames, set } = await newWorld();
    const box = await fixture(
      html`<clip-config lang="ar" dir="rtl" endpoint=${endpoint}>
        <div style="width: 320px">
          <clip-preview
            project="b"
            loading="eager"
            timeout="50"
            player-url="${frames}/hang"
          ></clip-preview>
        </div>
        <clip-export-button project="a" style="width: 320px"></clip-export-button>
      </clip-config>`,
    );
    const preview = box.querySelector<ClipPreview>('clip-preview')!;
    const button = box.querySelector<ClipExportButton>('clip-export-button')!;
    await reaches(preview, 'error');
    const left = (element: Element, selector: string) =>
      within(element, selector).getBoundingClientRect().left;
    expect(left(preview, '.retry')).to.be.greaterThan(left(preview, '.open'));

    await set({ render: 60_000, estimate: 60_000 });
    await button.start();
    await until(() => within(button, '[part="progress"]') !== null && button.progress !== null);
    expect(getComputedStyle(within(button, '[part="progress"]')).direction).to.equal('rtl');
    // Engines disagree about a language's own digits.
    await until(() => /^جارٍ التصدير… .*[0٠]/u.test(words(within(button, '[part="button"]'))));
    button.stop();
  });

  it('a text that there is only in English is English from the left, in Arabic too', async () => {
    const { endpoint } = await newWorld();
    const box = await fixture(
      html`<clip-config lang="ar" dir="rtl" endpoint=${endpoint}>
        <clip-export-button project="a" watermark="broken"></clip-export-button>
        <clip-preview project="a" loading="eager"></clip-preview>
        <clip-list></clip-list>
      </clip-config>`,
    );
    for (const element of box.children) {
      const text = () => element.shadowRoot?.querySelector<HTMLElement>('[dir][lang]');
      await until(() => text() && words(text()!));
      expect(words(text()!)).to.match(/^[A-Z].*\.$/);
      expect(getComputedStyle(text()!).direction).to.equal('ltr');
      expect(text()!.lang).to.equal('en');
    }
  });

  it('an Arabic text is Arabic from the right', async () => {
    const { endpoint, set } = await newWorld();
    await set({ start: 'not-found' });
    const button = await fixture<ClipExportButton>(
      html`<clip-export-button project="a" lang="ar" dir="rtl" endpoint=${endpoint}>
      </clip-export-button>`,
    );
    await until(() => words(within(button, '[part="button"]')) === 'تصدير');
    await startUntil(button, 'error');
    const text = within(button, '[dir][lang]');
    expect(text.lang).to.equal('ar');
    expect(getComputedStyle(text).direction).to.equal('rtl');
  });

  it('a value of a text may have any characters', async () => {
    const preview = await fixture(
      html`<clip-preview project="a" loading="click" label=${'Make $$$ $& fast'}></clip-preview>`,
    );
    expect(within(preview, '[part="play"]').ariaLabel).to.equal('Play: Make $$$ $& fast');
  });

  it('a text of the page’s own wins over the kit’s', async () => {
    const { endpoint } = await newWorld();
    registerLocale('ja-JP', { export: '動画を保存' });
    const box = await fixture(
      html`<div lang="ja-JP">
        <clip-export-button project="a" endpoint=${endpoint}></clip-export-button>
        <clip-export-button project="b" endpoint=${endpoint} lang="ja"></clip-export-button>
      </div>`,
    );
    const [own, kits] = box.querySelectorAll('clip-export-button');
    await until(() => words(within(own!, '[part="button"]')) === '動画を保存');
    await until(() => words(within(kits!, '[part="button"]')) === 'エクスポート');
  });

  it('traditional Chinese is English, rather than simplified', async () => {
    const { endpoint } = await newWorld();
    const box = await fixture(
      html`<div>
        <clip-export-button project="a" endpoint=${endpoint} lang="zh-CN"></clip-export-button>
        <clip-export-button project="b" endpoint=${endpoint} lang="zh-TW"></clip-export-button>
      </div>`,
    );
    const [simplified, traditional] = box.querySelectorAll('clip-export-button');
    await until(() => words(within(simplified!, '[part="button"]')) === '导出');
    expect(words(within(traditional!, '[part="button"]'))).to.equal('Export');
  });
});
