import de from './explanations/de.json' with { type: 'json' };
import en from './explanations/en.json' with { type: 'json' };
import es from './explanations/es.json' with { type: 'json' };
import fr from './explanations/fr.json' with { type: 'json' };
import it from './explanations/it.json' with { type: 'json' };
import nl from './explanations/nl.json' with { type: 'json' };
import pt from './explanations/pt.json' with { type: 'json' };

/**
 * Parts of a sentence without a full stop, in lower case, which are joined by semicolons.
 * `{topics}` and `{numbers}` are one or a list of two, `{count}` of cuts is more than one, and
 * `quote` has the language's quotation marks.
 */
type ExplanationTexts = typeof en;

const byLanguage: Readonly<Record<string, ExplanationTexts>> = { en, de, fr, es, pt, it, nl };

/** Returns the texts of a language (base code) and their language: English if it has no texts. */
export const getExplanationTexts = (language: string): [ExplanationTexts, string] =>
  language in byLanguage ? [byLanguage[language]!, language] : [en, 'en'];
