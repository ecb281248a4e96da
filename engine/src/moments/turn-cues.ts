/**
 * What tells, at the border of two sentences, that another person goes on.
 * Made by `node engine/fit/cues.ts` from 48 transcripts that the Changelog publishes
 * (github.com/thechangelog/transcripts, CC BY-SA 4.0): do not edit.
 */
import { cueModel } from '../words/cue-model.ts';

// prettier-ignore
export const turnCues = cueModel(-0.1, {
  'both first': `
1.8: i | oh
1: i | well, right | and, yeah | but
0.9: right | i
0.8: and | yeah, right | so, yeah | and
0.7: so | yeah
0.5: but | yeah
-0.2: i | i
-0.3: yeah | i
-0.6: and | because, i | and, i'm | i, it | so, it's | and, oh | i
-0.7: and | and, and | so, so | it
-0.8: and | we, but | so, i'm | i'm, so | so, yeah | yeah
-0.9: oh | yeah, so | and, you | so
-1: i | but, the | and
-1.1: so | the
-1.2: because | and
-1.4: and | but
-1.5: but | and, so | but
-1.8: but | like
-2.3: like | and, yeah | well
`,
  'first before': `
0.5: oh
0.4: i'm, that's
0.2: it's
0.1: i, so
-0.2: if
-0.3: and
`,
  'first two': `
2.1: that's right
1.2: i do
1.1: it is
1: and what, we can
0.9: no i, so what, well i
0.8: there you
0.7: sure 
0.6: and you, i have, it's a
-0.2: and i
-0.3: and then
-0.4: but i, yeah 
-0.6: i mean, so it, that's the
-0.7: and so, so i'm
-0.8: what are
-0.9: a lot
-1.1: so yeah
-1.2: so 
-1.3: but yeah
-1.4: so that
-1.5: if you're
`,
  first: `
1.8: well
1.7: oh
1.6: right
1.4: yeah
1.2: gotcha
1.1: sure
0.9: exactly
0.8: for, no, okay
0.7: yes
0.5: alright
0.3: the
0.2: i, that's
-0.3: and, it's, we
-0.4: there's
-0.5: so
-0.6: because
-0.7: don't, number, or, then, they're
-0.8: but
-0.9: why
-1.1: like, who
-2.2: net
`,
  'last before': `
1: going
0.9: really
0.8: about, everything
0.6: yes
0.5: yeah
0.3: more, now, two
-0.4: right
-0.8: and, what
-1: before
`,
  'length after': `
-0.1: 13, more
-0.2: 30
-0.3: 20
`,
  'length before': `
0.4: 1
0.3: 2, 3
-0.1: 8
-0.3: 20, 30
-0.5: more
`,
  'length two before': `
-0.1: 13, 2
-0.2: 20, 30
`,
  length: `
0.9: 1
0.3: 2
0.2: 3
-0.1: 5
-0.2: 8
-0.3: 13
-0.5: 20
-0.6: more
-0.7: 30
`,
  lengths: `
1.5: more 1
1.1: more 2
1: 1 30, 1 more, 20 1
0.9: 30 1
0.8: 20 2
0.7: 30 2
0.6: 2 30
0.5: 1 13, 1 20, 13 1
0.4: 1 8, 13 2, 20 3, 30 3
0.3: 8 2
0.2: 2 13
-0.1: 20 8
-0.2: 3 2
-0.3: 13 8, more more
-0.4: 13 13, 20 13, 30 8, 8 13
-0.5: 1 3, 2 3, 20 20, 20 30, 8 30, more 13
-0.6: 1 2, 13 20, 13 30, 20 more, 3 1, 8 20, 8 more
-0.7: 1 1, 30 13, 30 30
-0.8: more 20, more 30
-0.9: 30 20
-1: 13 more, 30 more
-1.1: 2 1
`,
  'person before': `
0.3: he
-0.1: i
`,
  persons: `
0.7: you i
0.6: i he, i you
0.2: i we, it you, we i
0.1: it we
-0.2: it it, they it
-0.5: he he, they we
-0.6: i i, you you
`,
  questions: `
1: ??..
0.4: .?..
0.3: ..??, ?.?.
-0.4: ...?
-0.5: ...., ?...
-0.9: .??.
-1.2: .???, ???., ????
`,
  'short after': `
-0.2: 1
-0.3: 0
`,
  'short before': `
-0.2: 1
-0.3: 0
`,
  'whole after': `
1.1: exactly
1: yeah exactly
0.3: yeah
-0.4: right
`,
  'whole before': `
-0.6: i don't know
-0.8: yeah
`,
  'whole two before': `
-0.5: alright
`,
  whole: `
0.9: that's right, there you go
0.7: sure
-0.4: yeah
-0.9: i don't know
-1.2: so
`,
  'word before': `
0.9: please
0.8: sound
0.7: answer, before, least, sure
0.6: might
0.5: first
0.4: us
0.3: be, it, that, them, up
0.2: for, my, on, so, you, your
0.1: good, one
-0.2: exactly, going, like
-0.3: from, oh, very
-0.4: change, code, does
-0.5: can
-0.7: open
-1.3: alright, depends
`,
  word: `
1.7: gotcha
1.2: yeah
1: though
0.9: totally
0.8: correct, sounds, yes
0.7: man, movie, thinking
0.6: too, true
0.5: alright, exactly, might, then
0.4: back, sure
0.3: but, did, he's, let
0.2: about, so, they, when, would, you
0.1: a, one
-0.1: and, can, going, is, like, was
-0.2: are, don't, go, how, kind, let's, thing, what
-0.3: do, maybe, stuff, these
-0.4: always, different, even, work
-0.5: change, come, done, last, look, need, sorry
-0.6: again, comes, day, down, example, obviously, web
-0.7: anything, money
-0.8: developer, happen
-0.9: anyways, move, until
-1: amazing, check, net, turn
-1.1: break
-1.2: simple
`,
});
