import ar from './ar.ts';
import de from './de.ts';
import en, { type Texts } from './en.ts';
import es from './es.ts';
import fr from './fr.ts';
import ja from './ja.ts';
import type { Language } from './languages.ts';
import pt from './pt.ts';
import zh from './zh.ts';

/** The texts of every language: for the service, which writes the pages. */
export const locales: Readonly<Record<Language, Texts>> = { ar, de, en, es, fr, ja, pt, zh };
