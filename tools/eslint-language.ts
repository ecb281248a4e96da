/** Two ESLint rules on how this code reads: a function is a verb, and its doc says what it does. */
import type { Rule } from 'eslint';

/** Verbs with which a function may begin. Add one that a reader of the field would use. */
const verbs = new Set(
  `abort adapt add adopt advance analyse animate answer append apply arrange ask asks assign authenticate await
  balance begin blur break build bundle cache calculate calibrate call can canonicalize capitalize caption change check
  choose claim clamp clean clear clip close collect combine compare complete compute configure confirm
  connect convert copy correct count create crop cut decode define delete deliver describe detect
  discard download drag drain draw drop edit encode end ensure erase escape estimate exit expand
  expect explain export extend extract fade fail fetch fill filter find finish fit follow forbid
  force forget format forward frame free get give grant group guard guess hand handle has hash hide hold host
  ignore import improve indent index insert inspect install interpolate is isolate issue join keep kill lay
  leave limit link list listen load lock log look lower make map mark match matches may measure
  mask memoize merge migrate mix mount move must mute name narrow needs normalize note notify number occupy offer
  omit open order pack pad pair parse pass patch pause pick ping place plan poll pop post preconnect
  prepare present print probe process publish push put query queue quote rank rate read receive
  recognise reconcile record redirect redo redraw reduce refuse register release remake remember
  remove rename render renew repeat replace report request require resample resolve restart restore
  restyle resume retain retry return revoke rewrite round route run sample save scale scan schedule score seek
  select send serialize serve set settle share shift shorten should show shrink sign simplify skip
  sleep snap sort spawn spell split spread stack standardize start stop store stream strip subscribe subtract sum sweep switch
  take test thin throttle throw toggle trace track transcribe translate trim try tune turn undo
  unfollow unlock unpack unschedule update upgrade upload use validate verify wait walk warn wants
  watch weigh with without wrap write zip zoom`.split(/\s+/),
);

/** Prepositions and adverbs that the platform's own functions begin with: `toString`, `onClick`. */
const platform = /^(?:to|from|on|as|after|before|next)(?=[A-Z])|^safeParse/;

/** Pure values that everybody knows by their noun, and what is named by what it builds. */
const nouns =
  /^(?:median|medianBox|middle|quantile|deviation|next|tick)$|(?:Routes|Store|Handler|Csv)$/;

/** Constructors and tag functions begin with a capital, and are not judged. */
function isFunctionName(name: string): boolean {
  const first = /^[a-z]+/.exec(name)?.[0];
  if (first === undefined) return true;
  return !/[a-z]Of$/.test(name) && (verbs.has(first) || platform.test(name) || nouns.test(name));
}

/** Reports top-level functions whose name is not a verb and its object. */
const functionName: Rule.RuleModule = {
  create(context) {
    const topLevel = ':matches(Program, ExportNamedDeclaration)';
    const arrow = 'VariableDeclarator[init.type="ArrowFunctionExpression"]';
    const checkName = (node: Rule.Node): void => {
      if (node.type !== 'Identifier' || isFunctionName(node.name)) return;
      context.report({
        node,
        message: `Name ${node.name}() by a verb and its object, such as readBody. If it begins with a verb, add it to tools/eslint-language.ts.`,
      });
    };
    return {
      [`${topLevel} > FunctionDeclaration > Identifier.id`]: checkName,
      [`${topLevel} > VariableDeclaration > ${arrow} > Identifier.id`]: checkName,
    };
  },
};

const vagueOpening =
  /^\*\s*(?:\*\s*)?(What|How|Its?|Their|They|Of|That which|Those|One who|Whoever|As)\b/;

/** Reports docs that begin with “What”, “How”, “Its”, instead of a verb or a noun. */
const docOpening: Rule.RuleModule = {
  create: (context) => ({
    Program() {
      for (const { type, value, loc } of context.sourceCode.getAllComments()) {
        const word = type === 'Block' && vagueOpening.exec(value)?.[1];
        if (!word) continue;
        context.report({
          loc: loc!,
          message: `Begin a doc with what the function does or returns, not with “${word}”: Returns, Sends, Whether, or a noun.`,
        });
      }
    },
  }),
};

export default { rules: { 'function-name': functionName, 'doc-opening': docOpening } };
