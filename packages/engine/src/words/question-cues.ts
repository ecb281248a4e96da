/**
 * What tells that a sentence without marks is a question.
 * Made by `node research/fit/cues.ts` from 48 transcripts that the Changelog publishes
 * (github.com/thechangelog/transcripts, CC BY-SA 4.0): do not edit.
 */
import { cueModel } from './cue-model.ts';

// prettier-ignore
export const questionCues = cueModel(-2.2, {
  'first two': `
1.1: is it
-1.1: right 
-1.3: how do, okay 
-1.5: i thought, if you
-1.7: well you
-2.1: that's right
`,
  first: `
3.1: who
3: is, was
2.7: did
2.5: are
2.4: does
2: how
1.9: can
1.8: what's, where
1.4: do, why
1.1: what
-0.3: and
-0.4: but
-0.5: if, it's, you
-0.6: well, yeah
-0.7: let's, not, the
-0.8: i
-0.9: my, no
-1: i'm, that's
-1.1: they
-1.2: that, this
-1.3: it, one
-1.4: he, they're, we've
-1.6: go, i'll, okay
-1.8: good, we
-1.9: there
-2.1: right
`,
  'last two': `
2.4: you know
-0.9: it is
-1.1:  right
-1.3:  okay
-2.2: don't know
-2.7: that's right
`,
  last: `
4.4: right
3: really
2.1: okay
1.5: see
1.3: what
1.2: know
1.1: adam
1: not
-0.7: there
-0.8: is
-0.9: to, yeah
-1.1: yes
-1.2: cool
-1.3: too
-1.5: great
-1.6: exactly, question
-1.8: interesting, sure
-1.9: did
-2: and, but, nice
-2.2: does, the, wow
-2.5: gosh
`,
  length: `
-0.1: 3, 8, 9
-0.2: 1, 2
-0.3: 11
-0.4: 14, 15
-0.5: 12, 17, 18
-0.6: 19
-0.8: 20
`,
  'next length': `
-0.1: 6
-0.2: 4, 5
-0.3: 10, 8, 9
-0.4: 11, 12, 13, 17, 18, 7
-0.5: 14
-0.7: 15, 16, 20
-0.8: 19
`,
  'next two': `
1: i don't
0.6: i mean
-0.6: right 
-0.9: so if
-1.2: a lot, i like
-1.3: alright 
`,
  next: `
1.5: was
1.4: is
1.3: no
1.2: are
1: or
0.8: can
0.7: what
0.6: because, well
0.5: yeah
-0.3: and, it's, you
-0.4: that's
-0.7: alright, so
-1.1: but
-1.3: now, one
-3.2: net
`,
  pair: `
3.3: am i, are you, can you
3.2: are we, do they
3.1: do we, have you
3: do you
2.9: are they, can we
2.8: can i, do i, is it, is this
2.7: did you, was it
2.5: is there, which one
2.3: would you
2: was that, what are, what was
1.9: what's the
1.6: does that, or is
1.5: is that
1.4: what is
1.2: does it
1.1: you know
1: know what
0.9: i'm like, you think
0.8: a good
0.7: back to, to make
0.6: you just
-0.3: i think
-0.4: is a, that i
-0.5: but i
-0.6: do it, like you, that it
-0.7: it is, it was
-0.8: all of, is just, right now, there was, we can, when you
-0.9: so that's, so you, that and, that they, you are
-1: i could, i would, these are, to do, what i, would say
-1.1: i can, if you, it would, like it, people who, that would, this is, we would, which is
-1.1: would be
-1.2: but you, come on, i can't, i don't, it's going, that's what, that's why, we could, what it
-1.3: as you, i'm a, like i, not going, oh i, what you're
-1.4: can be, could be, like i'm, of course, should be, was not
-1.5: are going, do is, how it, i will, it right, it will, there are, well you
-1.6: but that, have been, how to, i didn't, know the, will be, you can't
-1.7: how we, i did, is really, it can, now you, of us, there you, we are
-1.8: was really, you can
-1.9: how i, what we, you could
-2: things like, we should, you should
-2.1: it does, what they, why i
-2.2: you would
-2.5: what you
-2.8: that's right
-3.1: what a
`,
  word: `
2.8: isn't, what's
2.6: why
2.3: who's
2.1: does
1.9: should, what
1.8: aren't
1.7: did
1.6: am, how, who
1.5: could
1.4: wouldn't
1.3: remember, would
1.2: question
1.1: any, anything
1: right, wasn't
0.9: else, mean, myself, okay, will
0.8: didn't, or
0.7: do, thinking, years
0.6: can, like, where, you
0.5: say, when, which
0.4: if, there
0.3: are, were
0.2: this, we, well
0.1: but, is, it
-0.1: to
-0.2: in, me, of, on, people
-0.3: they're, you're
-0.4: and, i'm, so
-0.5: actually, back, good, know, more, not
-0.6: i, maybe, that's
-0.7: give, it's, never, no, tell, there's, tools, yeah
-0.8: everything, sure, we're
-0.9: especially, everybody, exactly, great, i've, job, probably, projects, whatever
-1: almost, fun, let, working
-1.1: awesome, he's, very, windows
-1.2: happening, i'll, man
-1.3: conversation, deep, everyone, full, let's, obviously, thanks, yes
-1.4: either, it'll, sounds
-1.5: amazing, install, once, perfect, until
-1.6: dude, main, we'll, whether
-1.7: cases
-1.9: totally
-2.1: thank
-2.3: means
-2.5: here's
`,
});
