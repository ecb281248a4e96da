/**
 * What tells that a sentence without marks is a question.
 * Made by `node engine/fit/cues.ts` from 48 transcripts that the Changelog publishes
 * (github.com/thechangelog/transcripts, CC BY-SA 4.0): do not edit.
 */
import { cueModel } from './cue-model.ts';

// prettier-ignore
export const questionCues = cueModel(-2.2, {
  'first two': `
1: is it
-1.1: how do
-1.2: okay , right 
-1.5: i thought
-1.6: if you
-1.7: well you
-2.1: that's right
`,
  first: `
3.1: who
3: is, was
2.7: did
2.6: are
2.4: does
2: can, how
1.8: what's
1.7: where
1.4: do, why
1: what
-0.2: and
-0.4: but, it's
-0.5: well, you
-0.6: if, yeah
-0.7: let's, that's
-0.8: i, not, the
-0.9: no
-1: i'm, my
-1.1: that, they
-1.2: it, one, this
-1.3: they're
-1.4: he
-1.5: go, we've
-1.6: i'll
-1.7: okay
-1.8: we
-1.9: good, there
-2.2: right
`,
  'last two': `
2.4: you know
-0.9: it is
-1.2:  okay,  right
-2.2: don't know
-2.7: that's right
`,
  last: `
4.4: right
3: really
1.9: okay
1.6: see
1.3: know, what
1.1: adam, not
-0.7: there
-0.8: is, things
-0.9: to, yeah
-1.2: cool, yes
-1.3: too
-1.5: great
-1.6: exactly
-1.8: interesting, question, sure
-2: and, but, did, nice
-2.2: does, wow
-2.3: the
-2.6: gosh
`,
  length: `
-0.1: 3, 6, 8, 9
-0.2: 1, 2
-0.3: 11
-0.4: 14, 15
-0.5: 12, 18, 19
-0.6: 17
-0.8: 20
`,
  'next length': `
-0.1: 6
-0.2: 10, 5, 7
-0.3: 11, 12, 18, 9
-0.4: 13, 14, 17
-0.6: 15, 16, 20
-0.7: 19
`,
  'next two': `
0.9: i don't
0.6: i mean
-0.9: so if
-1.2: alright , i like
-1.3: a lot
`,
  next: `
1.5: was
1.3: is, no
1.2: are
1: or
0.7: what
0.6: because, well, yeah
-0.2: it
-0.3: it's, that's, you
-0.4: and
-0.7: alright, so
-1.1: but
-1.3: one
-1.4: now
-3.3: net
`,
  pair: `
3.4: am i, can you
3.3: are you
3.2: are we, do they, do we
3.1: do you
3: are they, do i, have you
2.9: can we, is it
2.8: can i, is this
2.7: was it
2.6: did you, which one
2.5: is there
2.3: would you
2.1: what are
2: was that, what was
1.9: what's the
1.7: does that
1.6: or is
1.5: is that
1.4: what is
1.2: does it
1.1: you know
1: i'm like, know what
0.9: how many, you think
0.8: back to
0.7: a good, to make
0.6: you just
-0.3: i think
-0.4: but i
-0.5: is a, one of
-0.6: it was, like the, like you, that it
-0.7: it is, one thing, right now, so you, would say
-0.8: and what, there was, we can, when you, you are
-0.9: all of, i could, i would, is just, that and, to do, we were, what i
-1: these are, where we
-1.1: come on, i can, if you, it wasn't, it would, like it, that would, which is, would be
-1.2: i don't, it's going, not going, people who, that's what, this is, we could, we would, what it
-1.2: what you're
-1.3: as you, but you, could be, i can't, like i, oh i, that's why
-1.4: can be, i will, i'm a, like i'm, like okay, should be
-1.5: are going, do is, how it, it will, just so, of course, there are, well you
-1.6: but that, have been, how to, is really, know the, there you, we are, will be, you can't
-1.7: how we, i did, i didn't, it can, of us, you can, you could
-1.8: was really, what we
-1.9: how i, you should
-2: things like, we should
-2.1: it does, why i
-2.2: what they, you would
-2.4: what you
-2.7: that's right
-2.9: what a
`,
  word: `
2.9: isn't
2.8: what's
2.6: why
2.3: who's
2.1: does
2: what
1.9: should
1.7: aren't, did
1.6: am, how, who
1.5: could
1.4: remember, would, wouldn't
1.2: question
1.1: any, anything, okay, wasn't
1: right
0.9: else, mean, myself, will
0.8: didn't, ever, thinking
0.7: can, do, or, where
0.6: like, years, you
0.5: were, when
0.4: if, which
0.3: there, this, we
0.2: are, but
0.1: is, it
-0.1: for, to
-0.2: in, me, on
-0.3: and, they're, you're
-0.4: good, i'm, so
-0.5: actually, back, i, know, maybe, not, pretty, that's
-0.6: it's, more
-0.7: give, never, no, sure, tell, tools, we're, yeah
-0.8: everybody, everything, job, probably, there's
-0.9: exactly, whatever
-1: almost, especially, great, i've, let, working
-1.1: awesome, fun, he's, i'll, very
-1.2: man, obviously, state, windows, yes
-1.3: conversation, deep, happening, let's, thanks
-1.4: either, everyone, full, it'll, perfect
-1.5: sounds
-1.6: once, until, we'll, whether
-1.7: amazing, cases, dude, lots, main
-1.9: totally
-2.1: thank
-2.3: means
-2.4: here's
`,
});
