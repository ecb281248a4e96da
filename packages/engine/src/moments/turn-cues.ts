/**
 * What tells, at the border of two sentences, that another person goes on.
 * Made by `node research/fit/cues.ts` from 48 transcripts that the Changelog publishes
 * (github.com/thechangelog/transcripts, CC BY-SA 4.0): do not edit.
 */
import { cueModel } from '../words/cue-model.ts';

// prettier-ignore
export const turnCues = cueModel(-0.1, {
  'both first': `
1.8: i | oh
1: i | well, right | and, yeah | but
0.9: right | i, right | so
0.8: and | yeah
0.7: so | yeah, yeah | and
0.6: but | yeah
-0.2: i | i
-0.3: and | it's, yeah | i
-0.5: i | and
-0.6: and | because, i'm | i, it's | and, oh | i
-0.7: and | so, and | we, i'm | i'm, it | so, so | it
-0.8: and | and, but | so, so | so, yeah | yeah
-0.9: i | but, oh | yeah, so | and, you | so
-1: the | and
-1.1: so | the
-1.2: because | and
-1.4: and | but
-1.5: so | but
-1.6: but | and
-1.7: but | like
-2.3: like | and, yeah | well
`,
  'first before': `
0.5: oh
0.4: i'm, that's
0.1: i, it's, so
-0.3: and, well
`,
  'first two': `
2.1: that's right
1.2: i do
1.1: it is
1: and what, well i
0.9: no i, we can
0.8: so what
0.7: so you're, sure , there you
0.6: and you, it's a
0.5: i have
-0.2: and i
-0.3: and then
-0.4: but i, yeah 
-0.5: so it
-0.6: that's the
-0.7: and so, i mean, so i'm
-0.8: what are
-0.9: a lot
-1.1: so yeah
-1.3: but yeah, so 
-1.4: so that
-1.6: if you're
`,
  first: `
1.8: oh, well
1.6: right
1.4: yeah
1.2: gotcha
1.1: sure
0.9: exactly, no
0.8: for, okay
0.7: yes
0.3: alright, the
0.2: i, that's
-0.2: we
-0.3: and, it's
-0.4: there's
-0.5: so
-0.6: then
-0.7: don't, number, or
-0.8: because, but, they're, why
-1.1: like, who
-2.2: net
`,
  'last before': `
1: going
0.9: everything, really
0.8: about
0.6: yes
0.5: yeah
0.4: more
0.3: now
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
0.4: 1, 2
0.3: 3
-0.2: 30
-0.3: 20
-0.5: more
`,
  'length two before': `
-0.1: 13, 2
-0.2: 20, 30
`,
  length: `
0.9: 1
0.4: 2
0.2: 3
-0.1: 5
-0.2: 8
-0.3: 13
-0.5: 20
-0.6: more
-0.7: 30
`,
  lengths: `
1.4: more 1
1.1: 1 30
1: 1 more, 20 1
0.9: more 2
0.8: 20 2, 30 1
0.6: 13 1, 30 2
0.5: 1 13, 1 20, 2 30
0.4: 1 8, 20 3
0.3: 13 2
0.2: 8 2
0.1: 2 13
-0.1: 20 8
-0.3: 13 8, 3 2
-0.4: 13 13, 20 13, 8 13, more more
-0.5: 1 3, 2 2, 20 20, 20 30, 30 8, 8 20, 8 30, more 13
-0.6: 13 20, 13 30, 2 3, 20 more, 3 1
-0.7: 1 1, 1 2, 8 more
-0.8: 30 13, 30 30, more 20, more 30
-0.9: 30 20
-1: 13 more
-1.1: 30 more
-1.2: 2 1
`,
  'person before': `
0.3: he
-0.1: i
`,
  persons: `
0.7: you i
0.6: i he, i you
0.3: it you, we i
0.2: i we, it we
-0.2: it it, they it
-0.4: we we
-0.5: he he
-0.6: i i, you you
`,
  questions: `
1: ??..
0.4: .?..
0.3: ..??, ?.?.
-0.3: ...?
-0.5: ...., ?...
-0.9: .??.
-1.1: .???, ????
-1.2: ???.
`,
  'short after': `
-0.2: 1
-0.4: 0
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
-0.7: i don't know
-0.8: yeah
`,
  'whole two before': `
-0.6: alright
`,
  whole: `
0.9: that's right
0.8: there you go
0.7: sure
-0.4: yeah
-0.9: i don't know
-1.3: so
`,
  'word before': `
1: please
0.8: sound
0.7: answer, before, least, sure
0.6: might
0.5: first
0.4: pretty, us, you're
0.3: be, that, them, up
0.2: for, it, my, on, one, or, so, you
0.1: good
-0.2: exactly, going, like
-0.3: from, oh
-0.4: can, change, does
-0.5: code
-0.7: open
-0.8: agree
-1.3: alright
-1.4: depends
`,
  word: `
1.7: gotcha
1.6: bye
1.2: yeah
1: though
0.8: correct, sounds, totally, yes
0.7: thinking, too
0.6: man, true
0.5: exactly, might, then
0.4: alright, gonna, sure
0.3: but, did, let
0.2: a, because, so, they, when, you
0.1: one
-0.1: can, going, is, like, was
-0.2: and, are, don't, how, kind, let's, what
-0.3: do, maybe, probably, stuff, these
-0.4: always, different, done, work
-0.5: again, change, come, even, last, look, need
-0.6: comes, day, down, example, obviously, sorry
-0.7: anything, money
-0.8: developer, happen
-0.9: anyways, until
-1: amazing, check, move, net, turn
-1.1: break
-1.2: simple
`,
});
