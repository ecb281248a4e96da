/**
 * What tells, at the border of two words, that a sentence ends.
 * Made by `node research/fit/cues.ts` from 48 transcripts that the Changelog publishes
 * (github.com/thechangelog/transcripts, CC BY-SA 4.0): do not edit.
 */
import { cueModel } from './cue-model.ts';

// prettier-ignore
export const sentenceEndCues = cueModel(-2.4, {
  'first two': `
5.4: of course
4.3: have you
4.2: is it
4.1: is there
3.9: was it
3.7: can you
3.6: are you
3.4: come on, there you
3.3: is that, is this, those are
3.2: are we, can i, do you
3.1: for sure, was that
3: can we
2.9: this is
2.8: that was
2.6: and so, that's right
2.5: for example
2.4: did you
2.3: and if
2.2: there was
2.1: there are
1.9: to me
1.7: that is
1.6: and that's, one of
1.5: i mean
1.4: it was
1.2: and i, and i'm, and that, you don't
1.1: and it's
1: a lot
0.9: and then, i don't, you know
0.8: it is
0.7: and the
0.4: i think
-1.1: don't know
-1.2: of a
-1.3: want to
-1.4: to have
-1.5: going to, like a, was like
-1.6: do that, sort of
-1.7: that i
-1.8: because of, that and, that the
-1.9: is not, or whatever, that it
-2: what you
-2.1: in there, this and
-2.2: can be, is a, or something, should be, that i'm, that it's
-2.3: can do, have to, that we, was a
-2.4: right now
-2.5: that they, you go
-2.6: don't have, what it
-2.7: what you're
-2.8: it as, now and, there and
-2.9: as well, it it's, it yeah, like that, that are, that you
-3: it because, would be
-3.1: it a, it on
-3.2: so much
-3.3: it for, it up
-3.4: and stuff, you to
-3.5: it so
-3.6: it but, it in, it out
-3.8: it i
-4.1: it to
-4.3: how to
-4.4: it and
`,
  first: `
5.6: net
5.4: alright
4.6: gotcha, oh, yeah
4.3: wow
4.2: bye
3.8: okay, well
3.7: yes
3.5: however
3.3: no
3.2: gosh, so, sorry
3: anyways, he's
2.9: let's, that's
2.8: thanks, what's
2.7: i'll, i'm, it's, let, sure
2.6: i've, nice
2.5: he, i, number, she, there's, totally
2.4: break, here's, they're, we'll
2.2: but, correct, i'd, maybe, we've
2.1: right, sometimes
2: we're, what, why
1.9: remember, we, you've
1.8: exactly, hey, how, obviously
1.7: they, you're
1.6: like, tell
1.5: adam, cool, if, same
1.4: because, don't
1.3: not
1.2: good, it, see, then, you
1.1: and
1: very
0.9: also, did, when
0.8: just
0.7: my, which
0.6: go
0.3: the
-0.3: that
-0.5: at
-0.6: a, as
-0.7: your
-0.8: much
-0.9: by
-1: are, going, here, in, new
-1.1: different, have, think
-1.2: more, part, things
-1.3: for, little, over, using
-1.4: back, too
-1.5: be, change, lot, saying
-1.6: better, course, ever, has, sort, started, way
-1.7: done, is, was, will
-1.8: already, day, doing, file, from, me, might, own, project, us, world
-1.9: bit, example, name, says, sense, with
-2: data, doesn't, gets, least, on, person, point, problem, working, yet
-2.1: around, community, days, list, mean, off, question, reason, though, thought
-2.2: answer, gonna, word, year
-2.3: companies, means, movie
-2.4: called, case, enough, made, model, questions, stuff, tool, wrong, yourself
-2.5: against, been, company, depends, myself, ones, story, tools
-2.6: away, guys, place, points, team
-2.7: code, had, side, used
-2.8: anymore, goes, him, language, level, need, time, up, ways, work
-2.9: about, comes, experience, minutes, times, to, version, want
-3: app, idea, through, together, works
-3.1: down, job, said, system
-3.2: them, years
-3.3: ago, of, than
-3.4: else, source
-4: into, thing
-4.1: out
-4.3: know
`,
  'last two': `
4.3: think so
4.1: as well, yeah exactly
3.2: for sure
3.1: at all
2.8: like that
2.7: with that
2.6: at that
2.5: about that, do that
2.3: or something
2.2: for you, thank you
2.1: for that, it is
2: on that, that's right, you go
1.7: of that
0.7: of the
0.6: to do
-0.8: this is
-1: i think
-1.1: a little, it's a
-1.2: it's like, that we
-1.3: is the, lot of
-1.4: all of, at the, do you
-1.6: i feel
-1.7: i was
-1.8: a great, i mean, not sure
-1.9: i'm not, one of
-2: a really, because you, i'm sure, think that, trying to
-2.1: and what, but you
-2.2: and so, that's what, where you
-2.3: can you, if it, the first, there you, things that, what are
-2.4: and maybe
-2.5: and you, one that, that you, then you
-2.6: because it, let me, so that, so you, think it
-2.7: so it, what it, when you
-2.8: a big, and then, if you
-2.9: a good, and say, the last, the right
-3: but then, make sure
-3.1: what do
-3.2: and it, but it, thing that
-3.4: how much
-3.5: like okay
-3.6: even though
-3.7: how do
-4.2: and now
`,
  last: `
3.4: gotcha
1.9: right
1.7: man
1.6: cool
1.3: yes
1.2: okay
0.8: good
0.6: there
-0.3: this
-0.5: know
-0.8: no, other, those, while
-0.9: does, mean, more, on
-1: see
-1.1: did, do, not, use, you
-1.2: about, kind, something
-1.3: actually, from, really, then
-1.4: new, take, these, using
-1.5: be, didn't, little, only, still, tell, that
-1.6: am, don't, sort, will
-1.7: after, at, come, sometimes
-1.8: always, are, doesn't, in, probably, say, should
-1.9: all, any, even, maybe, why
-2: been, have, said, think, who
-2.1: has, his, into, looking, making, with, without
-2.2: can't, could, especially, is, look, might, since, wanna, wasn't, went, whole
-2.3: get, gets, getting, got, says, she, to, was, were
-2.4: fact, feel, find, he
-2.5: gotta, had, seems
-2.6: by, quite, they, well, you'd
-2.7: can, for, give, of, they've, thought, what, would, you'll
-2.8: or, some, who's
-2.9: its, looks
-3: being, but, certain, so, your
-3.1: also, gonna, until
-3.2: every, just, make, put, we'll
-3.3: keep, let, let's, pretty, than
-3.4: having, i'd, makes, may, our, the, we
-3.5: here's, like, my, thank
-3.6: hey, their
-3.7: unless, we've
-3.8: very
-3.9: he's, what's
-4: it's, oh, which, you've
-4.1: a, because, i'll
-4.2: that's, whether
-4.3: how
-4.4: i, i've, we're, you're
-4.5: there's, where
-4.6: when
-4.8: and
-5.1: they're
-5.2: an
-5.5: i'm
-5.7: as
-6.1: if
`,
});
