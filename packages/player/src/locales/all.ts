import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import type { Language } from './languages.ts';
import pt from './pt.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };

/** Every text of the pages. `{0}` and `{1}` are replaced by values. */
export type Texts = Readonly<Record<keyof typeof en, string>>;

/** The texts of every language: for the service, which writes the pages. */
export const locales: Readonly<Record<Language, Texts>> = { ar, de, en, es, fr, ja, pt, zh };
