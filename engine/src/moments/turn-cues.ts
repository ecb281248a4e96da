/**
 * What tells, at the border of two sentences, that another person goes on.
 * Made by `node engine/fit/cues.ts` from 48 transcripts that the Changelog publishes
 * (github.com/thechangelog/transcripts, CC BY-SA 4.0): do not edit.
 */
import { cueModel } from '../words/cue-model.ts';

// prettier-ignore
export const turnCues = cueModel(-0.4, {
  'both first': `
1.7: i | oh
1: right | and, yeah | but
0.9: i | well
0.8: and | yeah, yeah | and
0.7: right | i, right | so, so | yeah
-0.2: i | i
-0.3: i | it's, yeah | i
-0.6: and | because, i | and, i'm | i, it's | and, oh | i, okay | so
-0.7: and | and, and | so, i'm | i'm, it | so, so | it
-0.8: and | we, but | so, so | so, yeah | yeah
-0.9: oh | yeah, so | and, you | so
-1: i | but, the | and
-1.1: because | and, so | the
-1.4: and | but
-1.5: but | and, so | but
-1.8: but | like
-2.3: like | and, yeah | well
`,
  'first before': `
0.5: oh
0.4: i'm, that's
0.2: i
0.1: it's, so
-0.2: if
-0.3: well
-0.4: and
`,
  'first two': `
2.1: that's right
1.2: i do, it is
1: we can
0.9: and what, no i, well i
0.8: so what
0.7: sure , there you
0.6: and you, i have, it's a
-0.2: and i
-0.3: and then
-0.4: but i, yeah 
-0.6: and so, i mean, so it, that's the
-0.7: so i'm
-0.9: a lot
-1: what are
-1.2: so , so yeah
-1.4: but yeah, so that
-1.6: if you're
`,
  first: `
1.9: well
1.8: oh
1.6: right
1.4: yeah
1.2: gotcha
1.1: sure
1: exactly, no
0.8: for, okay
0.7: yes
0.5: alright
0.3: the
0.2: i, that's
-0.2: it's, we
-0.3: and
-0.4: there's
-0.5: because, one, so
-0.7: don't, number, then, they're
-0.8: but, or, why
-1.1: like, who
-2.1: net
`,
  'last before': `
0.9: going, really
0.8: everything, nice
0.7: about
0.6: yes
0.5: yeah
0.3: more, two
0.2: now
-0.3: right
-0.8: and
-1: before
`,
  'length after': `
-0.1: 8
-0.2: 13
-0.3: more
-0.4: 20, 30
`,
  'length before': `
0.3: 1, 2
0.2: 3
-0.2: 13, 5, 8
-0.4: 30
-0.5: 20
-0.7: more
`,
  'length two before': `
-0.1: 2, 8
-0.2: 13, more
-0.3: 20, 30
`,
  length: `
0.9: 1
0.3: 2
0.1: 3
-0.2: 5, 8
-0.3: 13
-0.5: 20
-0.7: more
-0.8: 30
`,
  lengths: `
1.5: more 1
1: 1 30, 1 more, 20 1, more 2
0.8: 20 2, 30 1
0.6: 2 30, 30 2
0.5: 1 13, 13 1
0.4: 1 20, 1 8, 13 2, 20 3
0.2: 8 2
0.1: 2 13
-0.2: 20 8, 8 8
-0.4: 13 13, 13 8, 2 2, 20 13, 8 13, more more
-0.5: 1 3, 20 20, 20 30, 30 8, 8 30
-0.6: 13 30, 2 3, 3 1, 8 20, more 13
-0.7: 1 1, 1 2, 13 20, 20 more, 8 more
-0.8: 30 13, more 20, more 30
-0.9: 30 30
-1: 13 more, 30 20
-1.1: 30 more
-1.2: 2 1
`,
  'mark before': `
0.5: question
`,
  mark: `
0.2: question
`,
  'person before': `
0.3: he
-0.1: i
`,
  persons: `
0.7: you i
0.6: i he, i you
0.3: it you, we i
0.2: i we, it we, we you
-0.2: it it
-0.3: they it, we we
-0.5: he he, they we
-0.6: i i
-0.7: you you
`,
  'whole after': `
1.1: exactly
1: yeah exactly
0.3: yeah
-0.4: right
`,
  'whole before': `
-0.6: i don't know
-0.9: yeah
`,
  whole: `
0.9: that's right
0.8: there you go
0.7: sure
-0.4: yeah
-0.9: i don't know
-1.2: so
`,
  'word before': `
0.9: please, sound
0.7: answer, before, least, sure
0.6: might
0.5: first
0.4: us, you're
0.3: or, that, up
0.2: be, for, it, my, on, so, them, you, your
0.1: good, one
-0.2: exactly, going, like, stuff
-0.3: from, very
-0.4: can, change, code, different, oh
-0.5: does
-0.7: agree, open
-0.8: database, project
-1.3: alright, depends
`,
  word: `
1.7: gotcha
1.2: yeah
1: though
0.9: totally
0.8: correct, movie, sounds, yes
0.7: man, thinking
0.6: too, true
0.5: alright, might, then
0.4: back, exactly, sure
0.3: but, did, he's, let
0.2: a, about, one, so, when, you
0.1: they
-0.1: can, going, how, is, like, was
-0.2: and, are, kind, let's, thing
-0.3: different, do, maybe, stuff
-0.4: always, even, last, need, these, work
-0.5: again, change, come, done, look, obviously, sorry
-0.6: comes, day, down, web
-0.7: example, fine, money
-0.8: anything, developer, happen, send
-0.9: anyways, move, until
-1: amazing, check, net, turn
-1.1: break
-1.3: simple
`,
});
