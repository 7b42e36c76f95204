import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SoundType } from '#shared/dogs/contract.ts';
import type { NearbyUser } from '#shared/proximity/contract.ts';
import {
  AlertController,
  type ShownAlert,
} from '../../../client/proximity/alerts/alert-controller.ts';
import { deviceClock } from '../../../client/proximity/tracking/clock.ts';
import type { Notice } from '../../../client/proximity/output/notifications.ts';

type Deed = { at: number; what: string };

const dog = (name: string, sound_type: SoundType) => ({ name, sound_type, image_key: null });
const rex = dog('Rex', 'leash_on');
const bella = dog('Bella', 'leash_off');
const person = (over: Partial<NearbyUser> = {}): NearbyUser => ({
  user_id: 'sam',
  display_name: 'Sam',
  distance_feet: 80,
  dogs: [rex],
  ...over,
});

const SOUND_MS = 800;
const SPEECH_MS = 4000;

/** A controller whose device needs as long as a real one to make its sounds, and writes down what it did. */
function listen(options: { radiusFeet?: number; ownWary?: string[]; alerts?: ShownAlert[] } = {}) {
  const began = Date.now();
  const deeds: Deed[] = [];
  const notices: (Notice & { isOpen: boolean })[] = [];
  let shown: ShownAlert[] = [];
  let endSpeech = () => {};
  const did = (what: string) => deeds.push({ at: Date.now() - began, what });
  const controller = new AlertController({
    clock: deviceClock,
    radiusFeet: () => options.radiusFeet ?? 100,
    ownWary: () => options.ownWary ?? [],
    alerts: options.alerts,
    onChange: (alerts) => (shown = alerts),
    outputs: {
      play: (type) => {
        did(`play ${type}`);
        return new Promise((resolve) => setTimeout(resolve, SOUND_MS));
      },
      speak: (type, text) => {
        did(`speak ${type}: ${text}`);
        return new Promise<void>((resolve) => {
          endSpeech = resolve;
          setTimeout(resolve, SPEECH_MS);
        });
      },
      stopSound: () => {
        did('stopSound');
        endSpeech();
      },
      vibrate: (pattern) => did(`vibrate ${pattern.join(',')}`),
      notify: (notice) => {
        const shownNotice = { ...notice, isOpen: true };
        notices.push(shownNotice);
        return () => (shownNotice.isOpen = false);
      },
    },
  });
  const spoken = () => deeds.filter(({ what }) => what.startsWith('speak')).map(({ what }) => what);
  const at = (what: string) => deeds.find((deed) => deed.what.startsWith(what))?.at;
  return { controller, deeds, notices, shown: () => shown, spoken, at };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('one dog', () => {
  test('that needs space: sound, vibration 500 ms later, speech, an urgent notice, and it is shown', async () => {
    const { controller, deeds, notices, shown } = listen();
    controller.receiveEncounter(person());
    await vi.advanceTimersByTimeAsync(10_000);

    expect(deeds).toEqual([
      { at: 0, what: 'play leash_on' },
      { at: 500, what: 'vibrate 200,100,200,100,200,100,400' },
      {
        at: SOUND_MS,
        what: 'speak leash_on: Rex needs space. Sam is 80 feet away. Leash your dog and give Rex room.',
      },
    ]);
    expect(notices).toEqual([
      {
        title: 'HIGH: Rex needs space',
        body: 'Sam is 80 feet away. Leash your dog and give Rex room.',
        tag: 'proximity:sam:Rex',
        urgent: true,
        isOpen: true,
      },
    ]);
    expect(shown()).toMatchObject([
      { user_id: 'sam', distance_feet: 80, urgent: true, names: 'Rex', verdict: 'needs space' },
    ]);
  });

  test('that is friendly', async () => {
    const { controller, deeds, notices } = listen();
    controller.receiveEncounter(person({ dogs: [bella] }));
    await vi.advanceTimersByTimeAsync(10_000);

    expect(deeds.map(({ what }) => what)).toEqual([
      'play leash_off',
      'vibrate 100,50,100',
      'speak leash_off: Bella is friendly. Sam is 80 feet away. Off-leash play is welcome.',
    ]);
    expect(notices).toMatchObject([{ title: 'Bella is friendly', urgent: false }]);
  });

  test('that is friendly is no reason to unleash an own dog that needs space', async () => {
    const { controller, spoken } = listen({ ownWary: ['Max'] });
    controller.receiveEncounter(person({ dogs: [bella] }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(spoken()[0]).toContain('Keep Max leashed: Max needs space.');
  });
});

describe('nothing is said', () => {
  test('beyond the radius', async () => {
    const { controller, deeds, shown } = listen({ radiusFeet: 70 });
    controller.receiveAnswer([person()]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(deeds).toEqual([]);
    expect(shown()).toEqual([]);
  });

  test('of somebody without dogs', async () => {
    const { controller, deeds, shown } = listen();
    controller.receiveAnswer([person({ dogs: [] })]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(deeds).toEqual([]);
    expect(shown()).toEqual([]);
  });

  test('twice of the same person within 30 s, whether an answer or an event tells', async () => {
    const { controller, spoken, shown } = listen();
    controller.receiveEncounter(person());
    for (let seconds = 0; seconds < 29; seconds++) {
      await vi.advanceTimersByTimeAsync(1000);
      controller.receiveAnswer([person({ distance_feet: 60 })]);
      controller.receiveEncounter(person({ distance_feet: 60 }));
    }
    expect(spoken()).toHaveLength(1);
    expect(shown()).toMatchObject([{ distance_feet: 60 }]);

    await vi.advanceTimersByTimeAsync(1000);
    controller.receiveAnswer([person({ distance_feet: 50 })]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(spoken()).toHaveLength(2);
    expect(spoken()[1]).toContain('50 feet away');
  });
});

describe('several dogs', () => {
  test('of one person: one after another, 1 s apart, those that need space first', async () => {
    const { controller, deeds } = listen();
    controller.receiveEncounter(person({ dogs: [bella, rex, dog('Ada', 'leash_off')] }));
    await vi.advanceTimersByTimeAsync(30_000);
    const each = SOUND_MS + SPEECH_MS + 1000;
    expect(deeds.filter(({ what }) => what.startsWith('play'))).toEqual([
      { at: 0, what: 'play leash_on' },
      { at: each, what: 'play leash_off' },
      { at: 2 * each, what: 'play leash_off' },
    ]);
    const words = deeds.filter(({ what }) => what.startsWith('speak')).map(({ what }) => what);
    expect(words.map((what) => /Rex|Bella|Ada/.exec(what)?.[0])).toEqual(['Rex', 'Bella', 'Ada']);
  });

  test('of several people: those that need space first, then the nearest', async () => {
    const { controller, spoken, shown } = listen();
    controller.receiveAnswer([
      person({ user_id: 'a', distance_feet: 20, dogs: [dog('Ada', 'leash_off')] }),
      person({ user_id: 'b', distance_feet: 90, dogs: [dog('Bob', 'leash_on')] }),
      person({ user_id: 'c', distance_feet: 40, dogs: [dog('Cid', 'leash_on')] }),
      person({ user_id: 'd', distance_feet: 10, dogs: [dog('Dot', 'leash_off')] }),
    ]);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(spoken().map((what) => /Ada|Bob|Cid|Dot/.exec(what)?.[0])).toEqual([
      'Cid',
      'Bob',
      'Dot',
      'Ada',
    ]);
    expect(shown().map((alert) => alert.user_id)).toEqual(['c', 'b', 'd', 'a']);
  });

  test('what is urgent interrupts what is friendly, without a pause', async () => {
    const { controller, at } = listen();
    controller.receiveEncounter(person({ user_id: 'a', dogs: [bella] }));
    await vi.advanceTimersByTimeAsync(2000);
    controller.receiveEncounter(person({ user_id: 'b' }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(at('stopSound')).toBe(2000);
    expect(at('play leash_on')).toBe(2000);
  });

  test('the friendly one does not interrupt the urgent one', async () => {
    const { controller, deeds } = listen();
    controller.receiveEncounter(person({ user_id: 'a' }));
    await vi.advanceTimersByTimeAsync(2000);
    controller.receiveEncounter(person({ user_id: 'b', dogs: [bella] }));
    await vi.advanceTimersByTimeAsync(15_000);
    expect(deeds.map(({ what }) => what)).not.toContain('stopSound');
  });
});

describe('it is over', () => {
  test('when an answer is without them, but not by an answer that an event overtook', async () => {
    const { controller, shown, notices } = listen();
    controller.receiveEncounter(person());
    await vi.advanceTimersByTimeAsync(200);
    controller.receiveAnswer([]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(shown()).toHaveLength(1);
    controller.receiveAnswer([person()]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(shown()).toHaveLength(1);
    controller.receiveAnswer([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(shown()).toEqual([]);
    expect(notices[0]?.isOpen).toBe(false);
  });

  test('when nothing is heard of them', async () => {
    const { controller, shown } = listen();
    controller.receiveEncounter(person());
    await vi.advanceTimersByTimeAsync(44_000);
    expect(shown()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(shown()).toEqual([]);
  });

  test('and then their other dogs are not spoken of', async () => {
    const { controller, spoken } = listen();
    controller.receiveAnswer([person({ dogs: [rex, bella] })]);
    await vi.advanceTimersByTimeAsync(SOUND_MS + 1);
    controller.dismiss('sam');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(spoken()).toHaveLength(1);
  });

  test('when dismissed: hushed at once, and silent until they have been away', async () => {
    const { controller, deeds, spoken, shown } = listen();
    controller.receiveAnswer([person()]);
    await vi.advanceTimersByTimeAsync(2000);
    controller.dismiss('sam');
    expect(deeds.at(-1)).toEqual({ at: 2000, what: 'stopSound' });
    expect(shown()).toEqual([]);
    for (let polls = 0; polls < 10; polls++) {
      await vi.advanceTimersByTimeAsync(30_000);
      controller.receiveAnswer([person({ distance_feet: 10 })]);
    }
    expect(spoken()).toHaveLength(1);

    controller.receiveAnswer([]);
    await vi.advanceTimersByTimeAsync(30_000);
    controller.receiveAnswer([person()]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(spoken()).toHaveLength(2);
  });

  test('when a foreseen meeting is dismissed, the answer that does not have them yet forgets nothing', async () => {
    const { controller, spoken, shown } = listen();
    controller.receiveEncounter(person({ distance_feet: 100 }));
    await vi.advanceTimersByTimeAsync(3000);
    controller.dismiss('sam');
    controller.receiveAnswer([]);
    await vi.advanceTimersByTimeAsync(2000);
    controller.receiveAnswer([person({ distance_feet: 90 })]);
    expect(shown()).toEqual([]);
    await vi.advanceTimersByTimeAsync(30_000);
    controller.receiveAnswer([person({ distance_feet: 60 })]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(spoken()).toHaveLength(1);
  });

  test('when sharing stops: nothing is left to say, and no timer runs on', async () => {
    const { controller, spoken, shown } = listen();
    controller.receiveAnswer([person({ dogs: [rex, bella] }), person({ user_id: 'other' })]);
    await vi.advanceTimersByTimeAsync(1000);
    controller.close();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(shown()).toEqual([]);
    expect(spoken()).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a dog that needs space', () => {
  const friendly = person({ dogs: [bella] });
  const wary = person({ dogs: [{ ...bella, sound_type: 'leash_on' }] });

  test('is told of at once where it was a friendly one a moment ago', async () => {
    const { controller, spoken } = listen();
    controller.receiveAnswer([friendly]);
    await vi.advanceTimersByTimeAsync(10_000);
    controller.receiveAnswer([wary]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(spoken().map((text) => text.split(':')[0])).toEqual([
      'speak leash_off',
      'speak leash_on',
    ]);
    controller.receiveAnswer([friendly]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(spoken()).toHaveLength(2);
  });

  test('is told of although the friendly one was dismissed', async () => {
    const { controller, spoken, shown } = listen();
    controller.receiveAnswer([friendly]);
    await vi.advanceTimersByTimeAsync(10_000);
    controller.dismiss('sam');
    controller.receiveAnswer([friendly]);
    expect(shown()).toEqual([]);
    controller.receiveAnswer([wary]);
    expect(shown()).toMatchObject([{ user_id: 'sam', urgent: true }]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(spoken()).toHaveLength(2);
    controller.dismiss('sam');
    controller.receiveAnswer([wary]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(spoken()).toHaveLength(2);
  });

  test('does not wait for the words about a friendly one that barks just now', async () => {
    const { controller, deeds } = listen();
    controller.receiveAnswer([friendly]);
    await vi.advanceTimersByTimeAsync(200);
    controller.receiveEncounter(person({ user_id: 'kim', dogs: [rex] }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(deeds.map(({ what }) => what.split(':')[0])).toEqual([
      'play leash_off',
      'stopSound',
      'vibrate 100,50,100',
      'play leash_on',
    ]);
  });
});

describe('in a tab that takes over', () => {
  test('what is on stays shown, and what was said is not said again', async () => {
    const first = listen();
    first.controller.receiveAnswer([person()]);
    expect(first.shown()).toMatchObject([{ user_id: 'sam', isAnnounced: false }]);
    await vi.advanceTimersByTimeAsync(SOUND_MS + SPEECH_MS);
    expect(first.shown()).toMatchObject([{ user_id: 'sam', isAnnounced: true }]);
    const second = listen({ alerts: first.shown() });
    expect(second.shown()).toEqual(first.shown());
    second.controller.receiveAnswer([person()]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(second.deeds).toEqual([]);
    expect(second.shown()).toHaveLength(1);
    second.controller.receiveAnswer([]);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(second.shown()).toEqual([]);
  });

  test('what was cut off, or had still to be said, is said', async () => {
    const kim = person({ user_id: 'kim', display_name: 'Kim', dogs: [bella] });
    const first = listen();
    first.controller.receiveAnswer([person(), kim]);
    await vi.advanceTimersByTimeAsync(SOUND_MS + 100);
    const alerts = first.shown();
    first.controller.close();
    const second = listen({ alerts });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(second.spoken().map((said) => said.split(':')[0])).toEqual([
      'speak leash_on',
      'speak leash_off',
    ]);
  });

  test('nothing is heard of any more, it is over as in any other', async () => {
    const first = listen();
    first.controller.receiveAnswer([person()]);
    const second = listen({ alerts: first.shown() });
    await vi.advanceTimersByTimeAsync(45_000);
    expect(second.shown()).toEqual([]);
  });
});

test('whoever is met again after the clock was set back is warned of', async () => {
  const { controller, spoken } = listen();
  controller.receiveAnswer([person()]);
  await vi.advanceTimersByTimeAsync(10_000);
  controller.receiveAnswer([]);
  await vi.advanceTimersByTimeAsync(10_000);
  vi.setSystemTime(Date.now() - 3_600_000);
  controller.receiveAnswer([person()]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(spoken()).toHaveLength(2);
});
