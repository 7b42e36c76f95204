import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SoundType } from '#shared/dogs/contract.ts';
import type { NearbyUser } from '#shared/proximity/contract.ts';
import { AcknowledgedAlerts } from '../../../client/features/proximity/alerts/acknowledged-alerts.ts';
import { AlertController } from '../../../client/features/proximity/alerts/alert-controller.ts';
import type { ShownAlert } from '../../../client/features/proximity/alerts/shown-alert.ts';
import type { Notice } from '../../../client/features/proximity/output/notifications.ts';
import { deviceClock } from '../../../client/features/proximity/tracking/tracker.ts';

type RecordedAction = { at: number; what: string };

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

/** A controller with a recording device whose sounds take as long as real ones. */
function listen(
  options: {
    radiusFeet?: number;
    wary?: string[];
    alerts?: ShownAlert[];
    silenced?: Set<string>;
    hasSpeech?: boolean;
    stuck?: 'speech' | 'sound' | 'failing sound';
    acknowledged?: Pick<AcknowledgedAlerts, 'read' | 'write'>;
  } = {},
) {
  const began = Date.now();
  const actions: RecordedAction[] = [];
  const notices: (Notice & { isOpen: boolean })[] = [];
  let alerts: ShownAlert[] = [];
  const asked = new Set<string>();
  let endSound = () => {};
  let endSpeech = () => {};
  const recordAction = (what: string) => actions.push({ at: Date.now() - began, what });
  const controller = new AlertController({
    clock: deviceClock,
    radiusFeet: () => options.radiusFeet ?? 100,
    own: () => ({ wary: options.wary ?? [], notes: [], leashPlace: null }),
    companions: {
      silenceOf: (userId) => (options.silenced?.has(userId) ? 'walk' : null),
      wasAsked: (userId) => asked.has(userId),
      setAsked: (userId) => void asked.add(userId),
    },
    acknowledged: options.acknowledged,
    alerts: options.alerts,
    onChange: (next) => (alerts = next),
    outputs: {
      play: (type) => {
        recordAction(`play ${type}`);
        if (options.stuck === 'sound') return new Promise<void>(() => {});
        if (options.stuck === 'failing sound') return Promise.reject(new Error('no device'));
        return new Promise<void>((resolve) => {
          endSound = resolve;
          setTimeout(resolve, SOUND_MS);
        });
      },
      speak: (type, text) => {
        if (options.hasSpeech === false) return Promise.resolve(false);
        recordAction(`speak ${type}: ${text}`);
        if (options.stuck === 'speech') return new Promise<void>(() => {});
        return new Promise<void>((resolve) => {
          endSpeech = resolve;
          setTimeout(resolve, SPEECH_MS);
        });
      },
      stopSound: () => {
        recordAction('stopSound');
        endSound();
      },
      stopSpeech: () => {
        recordAction('stopSpeech');
        endSpeech();
      },
      vibrate: (pattern) => recordAction(`vibrate ${pattern.join(',')}`),
      notify: (notice) => {
        const shownNotice = { ...notice, isOpen: true };
        notices.push(shownNotice);
        return () => (shownNotice.isOpen = false);
      },
    },
  });
  const spoken = () =>
    actions.filter(({ what }) => what.startsWith('speak')).map(({ what }) => what);
  const at = (what: string) => actions.find((action) => action.what.startsWith(what))?.at;
  /** The alerts in the sheet. */
  const shown = () => alerts.filter(({ isFolded }) => !isFolded);
  const folded = () => alerts.filter(({ isFolded }) => isFolded);
  return { controller, actions, notices, shown, folded, spoken, at };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('alert for one dog', () => {
  test('a dog that needs space triggers sound, vibration after 500 ms, speech, an urgent notification and an alert', async () => {
    const { controller, actions, notices, shown } = listen();
    controller.receiveEncounter(person());
    await vi.advanceTimersByTimeAsync(10_000);

    expect(actions).toEqual([
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
      { user_id: 'sam', distance_feet: 80, isUrgent: true, names: 'Rex', verdict: 'needs space' },
    ]);
  });

  test('a friendly dog triggers its own sound, vibration and speech', async () => {
    const { controller, actions, notices } = listen();
    controller.receiveEncounter(person({ dogs: [bella] }));
    await vi.advanceTimersByTimeAsync(10_000);

    expect(actions.map(({ what }) => what)).toEqual([
      'play leash_off',
      'vibrate 100,50,100',
      'speak leash_off: Bella is friendly. Sam is 80 feet away. Off-leash play is welcome where it’s allowed.',
    ]);
    expect(notices).toMatchObject([{ title: 'Bella is friendly', urgent: false }]);
  });

  test('a friendly dog is urgent for an owner whose dog needs space, in sound, vibration, speech and notification', async () => {
    const { controller, actions, notices, shown } = listen({ wary: ['Max'] });
    controller.receiveEncounter(person({ dogs: [bella] }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(actions.map(({ what }) => what)).toEqual([
      'play leash_on',
      'vibrate 200,100,200,100,200,100,400',
      'speak leash_on: Bella may be off leash. Sam is 80 feet away. Give your dog room.',
    ]);
    expect(notices).toMatchObject([{ title: 'HIGH: Bella may be off leash', urgent: true }]);
    expect(shown()).toMatchObject([{ isUrgent: true, verdict: 'may be off leash' }]);
  });
});

describe('no alert', () => {
  test('stays silent beyond the alert radius', async () => {
    const { controller, actions, shown, folded } = listen({ radiusFeet: 70 });
    controller.receiveAnswer([person()]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(actions).toEqual([]);
    expect(shown()).toEqual([]);
    // Both sides see each other at the same moment.
    expect(folded()).toMatchObject([{ user_id: 'sam', announcedFeet: null }]);
    controller.receiveAnswer([person({ distance_feet: 70 })]);
    expect(shown()).toMatchObject([{ user_id: 'sam' }]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(actions[0]?.what).toBe('play leash_on');
  });

  test('ignores people beyond the encounter radius and the alert radius', () => {
    const { controller, shown, folded } = listen({ radiusFeet: 70 });
    controller.receiveAnswer([person({ distance_feet: 250 })]);
    expect([...shown(), ...folded()]).toEqual([]);
  });

  test('warns of an anonymous dog, of which only a wide band is known', async () => {
    const { controller, spoken, shown } = listen({ radiusFeet: 50 });
    const dogs = [dog('', 'leash_on')];
    controller.receiveEncounter(
      person({ display_name: '', distance_feet: 250, dogs, is_anonymous: true }),
    );
    await vi.advanceTimersByTimeAsync(10_000);
    expect(spoken()).toEqual([
      'speak leash_on: A dog needs space. Within 250 feet. Leash your dog and give it room.',
    ]);
    expect(shown()).toHaveLength(1);
  });

  test('names people without dogs in one quiet notification, and shows them until they have left', async () => {
    const { controller, actions, notices, shown, folded } = listen({ radiusFeet: 50 });
    controller.receiveEncounter(person({ dogs: [] }));
    for (let seconds = 0; seconds < 60; seconds += 5) {
      await vi.advanceTimersByTimeAsync(5_000);
      controller.receiveAnswer([person({ dogs: [], distance_feet: 20 })]);
    }
    expect([actions, shown()]).toEqual([[], []]);
    expect(notices).toMatchObject([
      {
        title: 'Sam is near',
        body: '80 feet away, without a dog.',
        isQuiet: true,
        urgent: false,
        isOpen: true,
      },
    ]);
    expect(folded()).toMatchObject([
      { names: 'Sam', verdict: 'is near', isFolded: true, isUrgent: false, distance_feet: 20 },
    ]);
    controller.receiveAnswer([]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(folded()).toEqual([]);
    expect(notices).toMatchObject([{ isOpen: false }]);
  });

  test('says nothing of people without dogs whom the owner has silenced', async () => {
    const { controller, actions, notices } = listen({ silenced: new Set(['sam']) });
    controller.receiveEncounter(person({ dogs: [] }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect([actions, notices]).toEqual([[], []]);
  });

  test('alerts about a person once in 30 s, whether a response or an event reports them', async () => {
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
  test('announces the dogs of one person one after another, 1 s apart, those that need space first, the friendly ones in one sentence', async () => {
    const { controller, actions } = listen();
    controller.receiveEncounter(person({ dogs: [bella, rex, dog('Ada', 'leash_off')] }));
    await vi.advanceTimersByTimeAsync(30_000);
    const each = SOUND_MS + 1000;
    expect(actions.filter(({ what }) => what.startsWith('play'))).toEqual([
      { at: 0, what: 'play leash_on' },
      { at: each, what: 'play leash_off' },
      { at: 2 * each, what: 'play leash_off' },
    ]);
    const words = actions.filter(({ what }) => what.startsWith('speak')).map(({ what }) => what);
    expect(words).toEqual([
      'speak leash_on: Rex needs space. Sam is 80 feet away. Leash your dog and give Rex room.',
      'speak leash_off: Bella and Ada are friendly. Sam is 80 feet away. Leash your dog and give Rex room.',
    ]);
  });

  test('announces the dogs of several people by need for space, then by distance', async () => {
    const { controller, spoken, shown } = listen();
    controller.receiveAnswer([
      person({ user_id: 'a', distance_feet: 20, dogs: [dog('Ada', 'leash_off')] }),
      person({ user_id: 'b', distance_feet: 90, dogs: [dog('Bob', 'leash_on')] }),
      person({ user_id: 'c', distance_feet: 40, dogs: [dog('Cid', 'leash_on')] }),
      person({ user_id: 'd', distance_feet: 10, dogs: [dog('Dot', 'leash_off')] }),
    ]);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(spoken().map((what) => what.match(/Ada|Bob|Cid|Dot/g))).toEqual([
      ['Cid', 'Bob'],
      ['Dot', 'Ada'],
    ]);
    expect(shown().map((alert) => alert.user_id)).toEqual(['c', 'b', 'd', 'a']);
  });

  test('an urgent alert interrupts a friendly one without a pause', async () => {
    const { controller, at } = listen();
    controller.receiveEncounter(person({ user_id: 'a', dogs: [bella] }));
    await vi.advanceTimersByTimeAsync(2000);
    controller.receiveEncounter(person({ user_id: 'b' }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(at('stopSpeech')).toBe(2000);
    expect(at('play leash_on')).toBe(2000);
  });

  const needing = (name: string, distance_feet: number) =>
    person({
      user_id: name,
      display_name: `${name}’s owner`,
      distance_feet,
      dogs: [dog(name, 'leash_on')],
    });
  /** When each dog was first in speech that began. */
  const spokenAt = (actions: RecordedAction[], names: string[]) =>
    names.map(
      (name) => actions.find(({ what }) => what.startsWith('speak') && what.includes(name))?.at,
    );

  test('all dogs that need space are in one sentence, the nearest first', async () => {
    const { controller, spoken } = listen();
    controller.receiveAnswer([needing('Rex', 80), needing('Max', 40), needing('Ivy', 250)]);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(spoken()).toEqual([
      'speak leash_on: Max and Rex need space. Max’s owner is 40 feet away and Rex’s owner is 80 feet away. Leash your dog and give them room.',
    ]);
  });

  test('names a friendly dog after the dogs that need space, for an owner whose dog needs space', async () => {
    const { controller, spoken } = listen({ wary: ['Kit'] });
    controller.receiveAnswer([
      person({ user_id: 'a', display_name: 'Ana', distance_feet: 20, dogs: [bella] }),
      person({ dogs: [{ ...rex, notes: ['deaf'] }] }),
      needing('Max', 90),
    ]);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(spoken()).toEqual([
      'speak leash_on: Rex and Max need space. Bella may be off leash. Rex: deaf. Sam is 80 feet away, Max’s owner is 90 feet away, and Ana is 20 feet away. Leash your dog and give them room.',
    ]);
  });

  test.each([
    ['silence', []],
    ['a friendly sentence', [person({ user_id: 'a', dogs: [bella] })]],
  ])(
    'three dogs that need space and appear within a second during %s are spoken of within 4 s',
    async (_, before) => {
      const { controller, actions } = listen();
      controller.receiveAnswer(before);
      const start = SOUND_MS + 1000;
      await vi.advanceTimersByTimeAsync(start);
      controller.receiveEncounter(needing('Rex', 80));
      await vi.advanceTimersByTimeAsync(500);
      controller.receiveEncounter(needing('Max', 40));
      await vi.advanceTimersByTimeAsync(500);
      controller.receiveEncounter(needing('Ivy', 90));
      await vi.advanceTimersByTimeAsync(40_000);
      const at = spokenAt(actions, ['Max', 'Rex', 'Ivy']);
      for (const each of at) expect(each! - start).toBeLessThanOrEqual(4000);
      expect(at[0]).toBeLessThanOrEqual(at[1]!);
      const sentences = actions.filter(({ what }) => /speak leash_on/.test(what));
      expect(sentences.map(({ what }) => what.match(/Rex|Max|Ivy/g)?.[0])).toEqual(['Max', 'Ivy']);
    },
  );

  test('a dog that needs space waits for the sentence about another one, but not for longer than 3 s', async () => {
    const { controller, actions, at } = listen();
    controller.receiveEncounter(needing('Rex', 80));
    await vi.advanceTimersByTimeAsync(SOUND_MS + 100);
    controller.receiveEncounter(needing('Max', 40));
    await vi.advanceTimersByTimeAsync(40_000);
    expect(at('stopSpeech')).toBe(SOUND_MS + 3100);
    expect(spokenAt(actions, ['Rex', 'Max'])).toEqual([SOUND_MS, SOUND_MS + 3100]);
  });

  test('a dog that is announced anew before anything was said of it is named once', async () => {
    const { controller, spoken } = listen({ stuck: 'sound' });
    controller.receiveEncounter(person({ dogs: [bella] }));
    await vi.advanceTimersByTimeAsync(100);
    controller.receiveEncounter(person({ dogs: [bella, rex, dog('Max', 'leash_on')] }));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(spoken().map((what) => what.match(/Bella|Rex|Max/g))).toEqual([
      ['Rex', 'Max'],
      ['Bella'],
    ]);
  });

  test('one of two people who are spoken of together can be folded without silencing the other', async () => {
    const { controller, actions } = listen();
    controller.receiveAnswer([needing('Rex', 80), needing('Max', 40)]);
    await vi.advanceTimersByTimeAsync(SOUND_MS + 100);
    controller.fold(['Rex']);
    expect(actions.at(-1)?.what).toMatch(/^speak/);
    controller.fold(['Max']);
    expect(actions.at(-1)?.what).toBe('stopSpeech');
  });

  test('a friendly alert does not interrupt an urgent one', async () => {
    const { controller, actions } = listen();
    controller.receiveEncounter(person({ user_id: 'a' }));
    await vi.advanceTimersByTimeAsync(2000);
    controller.receiveEncounter(person({ user_id: 'b', dogs: [bella] }));
    await vi.advanceTimersByTimeAsync(15_000);
    expect(actions.map(({ what }) => what)).not.toContain('stopSound');
  });
});

describe('an output that is stuck', () => {
  const ada = dog('Ada', 'leash_on');
  const two = [
    person({ user_id: 'a', distance_feet: 20, dogs: [rex] }),
    person({ user_id: 'b', distance_feet: 30, dogs: [ada] }),
  ];

  test('speech that never ends delays no sound, vibration or notification, and other speech for seconds only', async () => {
    const { controller, actions, notices, shown } = listen({ stuck: 'speech' });
    controller.receiveAnswer(two.slice(0, 1));
    await vi.advanceTimersByTimeAsync(SOUND_MS);
    controller.receiveAnswer(two);
    expect(notices.map(({ title }) => title)).toEqual([
      'HIGH: Rex needs space',
      'HIGH: Ada needs space',
    ]);
    expect(shown()).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(actions.filter(({ what }) => !what.startsWith('speak'))).toEqual([
      { at: 0, what: 'play leash_on' },
      { at: 500, what: 'vibrate 200,100,200,100,200,100,400' },
      { at: 800, what: 'play leash_on' },
      { at: 1300, what: 'vibrate 200,100,200,100,200,100,400' },
      { at: 3800, what: 'stopSpeech' },
    ]);
    const spoken = actions.filter(({ what }) => what.startsWith('speak'));
    expect(spoken.map(({ what }) => /Rex|Ada/.exec(what)?.[0])).toEqual(['Rex', 'Ada']);
    expect(spoken[1]!.at).toBeLessThan(4_000);
  });

  test.each(['sound', 'failing sound'] as const)(
    'a %s delays vibration and speech by no more than a sound lasts',
    async (stuck) => {
      vi.spyOn(console, 'error').mockReturnValue();
      const { controller, actions } = listen({ stuck });
      controller.receiveAnswer(two);
      await vi.advanceTimersByTimeAsync(60_000);
      const at = (what: string) =>
        actions.filter((action) => action.what.startsWith(what)).map((action) => action.at);
      expect(at('vibrate')).toHaveLength(2);
      expect(at('vibrate')[1]).toBeLessThanOrEqual(4_500);
      expect(at('speak')).toHaveLength(1);
      expect(at('speak')[0]).toBeLessThanOrEqual(3_000);
      vi.restoreAllMocks();
    },
  );
});

describe('end of an alert', () => {
  test('an alert ends when a response no longer has the person, unless an event came after the request', async () => {
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

  test('an alert ends when nothing more is received about the person', async () => {
    const { controller, shown } = listen();
    controller.receiveEncounter(person());
    await vi.advanceTimersByTimeAsync(44_000);
    expect(shown()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(shown()).toEqual([]);
  });

  test('the other dogs of a person are not announced after the alert ends', async () => {
    const { controller, spoken } = listen();
    controller.receiveAnswer([person({ dogs: [rex, bella] })]);
    await vi.advanceTimersByTimeAsync(SOUND_MS + 1);
    controller.fold(['sam']);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(spoken()).toHaveLength(1);
  });

  test('a dismissed alert goes silent at once until the person has been away', async () => {
    const { controller, actions, spoken, shown, folded } = listen();
    controller.receiveAnswer([person()]);
    await vi.advanceTimersByTimeAsync(2000);
    controller.fold(['sam']);
    expect(actions.at(-1)).toEqual({ at: 2000, what: 'stopSpeech' });
    expect(shown()).toEqual([]);
    for (let polls = 0; polls < 10; polls++) {
      await vi.advanceTimersByTimeAsync(30_000);
      controller.receiveAnswer([person({ distance_feet: 50 })]);
    }
    expect(spoken()).toHaveLength(1);
    expect(folded()).toMatchObject([{ user_id: 'sam', distance_feet: 50 }]);

    controller.receiveAnswer([]);
    await vi.advanceTimersByTimeAsync(30_000);
    controller.receiveAnswer([person()]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(spoken()).toHaveLength(2);
  });

  test('a dismissed alert for a predicted encounter stays dismissed when the first response lacks the person', async () => {
    const { controller, spoken, shown } = listen();
    controller.receiveEncounter(person({ distance_feet: 100 }));
    await vi.advanceTimersByTimeAsync(3000);
    controller.fold(['sam']);
    controller.receiveAnswer([]);
    await vi.advanceTimersByTimeAsync(2000);
    controller.receiveAnswer([person({ distance_feet: 90 })]);
    expect(shown()).toEqual([]);
    await vi.advanceTimersByTimeAsync(30_000);
    controller.receiveAnswer([person({ distance_feet: 60 })]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(spoken()).toHaveLength(1);
  });

  test('closing the controller ends all alerts and timers', async () => {
    const { controller, spoken, shown } = listen();
    controller.receiveAnswer([person({ dogs: [rex, bella] }), person({ user_id: 'other' })]);
    controller.receiveAnswerOf('sam', 'theirs', 'waiting');
    await vi.advanceTimersByTimeAsync(1000);
    controller.close();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(shown()).toEqual([]);
    expect(spoken()).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a dog that now needs space', () => {
  const friendly = person({ dogs: [bella] });
  const wary = person({ dogs: [{ ...bella, sound_type: 'leash_on' }] });

  test('alerts at once about a dog that changes from friendly to needing space', async () => {
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

  test('alerts about a dog that now needs space even if its friendly alert was dismissed', async () => {
    const { controller, spoken, shown } = listen();
    controller.receiveAnswer([friendly]);
    await vi.advanceTimersByTimeAsync(10_000);
    controller.fold(['sam']);
    controller.receiveAnswer([friendly]);
    expect(shown()).toEqual([]);
    controller.receiveAnswer([wary]);
    expect(shown()).toMatchObject([{ user_id: 'sam', isUrgent: true }]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(spoken()).toHaveLength(2);
    controller.fold(['sam']);
    controller.receiveAnswer([wary]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(spoken()).toHaveLength(2);
  });

  test('does not wait for the speech about a friendly dog that is barking', async () => {
    const { controller, actions } = listen();
    controller.receiveAnswer([friendly]);
    await vi.advanceTimersByTimeAsync(200);
    controller.receiveEncounter(person({ user_id: 'kim', dogs: [rex] }));
    await vi.advanceTimersByTimeAsync(1000);
    expect(actions.map(({ what }) => what.split(':')[0])).toEqual([
      'play leash_off',
      'stopSound',
      'play leash_on',
      'vibrate 100,50,100',
      'vibrate 200,100,200,100,200,100,400',
      'speak leash_on',
    ]);
  });
});

describe('an acknowledged alert', () => {
  /** Acknowledges an alert that was announced at 80 ft. */
  async function acknowledge(
    options: Parameters<typeof listen>[0] & { dogs?: NearbyUser['dogs'] },
  ) {
    const listening = listen(options);
    const user = person(options.dogs ? { dogs: options.dogs } : {});
    listening.controller.receiveAnswer([user]);
    await vi.advanceTimersByTimeAsync(10_000);
    listening.controller.fold(['sam']);
    const comes = async (distance_feet: number) => {
      listening.controller.receiveAnswer([{ ...user, distance_feet }]);
      await vi.advanceTimersByTimeAsync(9000);
    };
    return { ...listening, comes };
  }

  test('is announced again each time the distance halves, and opened again if urgent', async () => {
    const { comes, spoken, shown, folded, controller, notices } = await acknowledge({});
    await comes(50);
    expect(folded()).toMatchObject([{ distance_feet: 50, isUrgent: true }]);
    expect(spoken()).toHaveLength(1);
    await comes(40);
    expect(shown()).toMatchObject([{ distance_feet: 40 }]);
    expect(spoken()[1]).toBe('speak leash_on: Rex needs space, now 40 feet away.');
    expect(notices.at(-1)).toMatchObject({
      title: 'HIGH: Rex needs space',
      body: 'Now 40 feet away. Leash your dog and give Rex room.',
      urgent: true,
    });
    controller.fold(['sam']);
    for (const feet of [30, 20, 20, 10, 10]) await comes(feet);
    expect(spoken().slice(2)).toEqual([
      'speak leash_on: Rex needs space, now 20 feet away.',
      'speak leash_on: Rex needs space, now 10 feet away.',
    ]);
  });

  test('stays folded when a friendly dog comes closer, and says so', async () => {
    const { comes, spoken, shown, folded, actions } = await acknowledge({ dogs: [bella] });
    await comes(30);
    expect(shown()).toEqual([]);
    expect(folded()).toHaveLength(1);
    expect(spoken()[1]).toBe('speak leash_off: Bella is friendly, now 30 feet away.');
    expect(actions.filter(({ what }) => what === 'vibrate 100,50,100')).toHaveLength(2);
    expect(actions.filter(({ what }) => what === 'play leash_off')).toHaveLength(1);
  });

  test('sounds when the distance halves if speech is off', async () => {
    const { comes, actions } = await acknowledge({ hasSpeech: false });
    await comes(40);
    expect(actions.filter(({ what }) => what === 'play leash_on')).toHaveLength(2);
  });

  test('is announced again after the user went away and comes back', async () => {
    const { comes, spoken } = await acknowledge({ dogs: [bella] });
    for (const feet of [40, 20]) await comes(feet);
    expect(spoken()).toHaveLength(3);
    for (const feet of [30, 80, 60, 40]) await comes(feet);
    expect(spoken()[3]).toContain('now 40 feet away');
  });

  test('stays folded after a short absence, and ends when they have parted', async () => {
    const { controller, shown, folded, spoken } = await acknowledge({});
    controller.receiveAnswer([]);
    await vi.advanceTimersByTimeAsync(0);
    expect([...shown(), ...folded()]).toEqual([]);
    await vi.advanceTimersByTimeAsync(10_000);
    controller.receiveAnswer([person()]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(folded()).toHaveLength(1);
    expect(spoken()).toHaveLength(1);
  });

  test('is not repeated by opening it again', async () => {
    const { comes, controller, shown, spoken } = await acknowledge({});
    controller.unfold('sam');
    expect(shown()).toHaveLength(1);
    await comes(70);
    expect(spoken()).toHaveLength(1);
  });

  test('stays folded when another tab takes over', async () => {
    const { folded } = await acknowledge({});
    const second = listen({ alerts: folded() });
    expect(second.folded()).toEqual(folded());
    second.controller.receiveAnswer([person({ distance_feet: 40 })]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(second.spoken()).toEqual(['speak leash_on: Rex needs space, now 40 feet away.']);
  });

  test('is purged by a check every 60 s once the person was last near more than 60 s ago', async () => {
    let stored: string[] = [];
    const { controller } = await acknowledge({
      acknowledged: {
        read: () => [],
        write: (alerts) => (stored = alerts.map(({ userId }) => userId)),
      },
    });
    const storedAfter = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      controller.review();
      return stored;
    };
    // Seen at 0 s, it is not older than 60 s at the first purge.
    expect(await storedAfter(50_000)).toEqual(['sam']);
    expect(await storedAfter(59_999)).toEqual(['sam']);
    expect(await storedAfter(1)).toEqual([]);
  });

  test('stays folded after a reload, and is announced again when the distance halves', async () => {
    const items = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    });
    const acknowledged = new AcknowledgedAlerts('ann');
    const { controller } = await acknowledge({ acknowledged });
    controller.close();
    const {
      controller: next,
      shown,
      folded,
      spoken,
    } = listen({
      acknowledged: new AcknowledgedAlerts('ann'),
    });
    next.receiveAnswer([person()]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(shown()).toEqual([]);
    expect(folded()).toHaveLength(1);
    expect(spoken()).toEqual([]);
    next.receiveAnswer([person({ distance_feet: 40 })]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(spoken()).toEqual(['speak leash_on: Rex needs space, now 40 feet away.']);
    next.clear();
    expect(new AcknowledgedAlerts('ann').read()).toEqual([]);
  });

  test('an alert that was not acknowledged is announced when the distance halves, too', async () => {
    const { controller, spoken } = listen();
    controller.receiveAnswer([person()]);
    await vi.advanceTimersByTimeAsync(6000);
    controller.receiveAnswer([person({ distance_feet: 40 })]);
    await vi.advanceTimersByTimeAsync(6000);
    expect(spoken()[1]).toContain('now 40 feet away');
  });
});

describe('walking together', () => {
  /** Receives an answer every five seconds. */
  async function walk({ controller }: ReturnType<typeof listen>, feet: number, seconds: number) {
    for (let second = 0; second < seconds; second += 5) {
      controller.receiveAnswer([person({ distance_feet: feet })]);
      await vi.advanceTimersByTimeAsync(5000);
    }
  }
  const all = ({ shown, folded }: ReturnType<typeof listen>) => [...shown(), ...folded()];

  test('asks once after two minutes side by side', async () => {
    const listening = listen();
    await walk(listening, 60, 115);
    expect(all(listening)).toMatchObject([{ isAsking: false }]);
    await walk(listening, 60, 10);
    expect(all(listening)).toMatchObject([{ isAsking: true }]);
    listening.controller.stopAsking('sam');
    await walk(listening, 60, 200);
    expect(all(listening)).toMatchObject([{ isAsking: false }]);
  });

  test('counts the two minutes again after they were farther apart', async () => {
    const listening = listen();
    await walk(listening, 50, 100);
    await walk(listening, 70, 5);
    await walk(listening, 50, 110);
    expect(all(listening)).toMatchObject([{ isAsking: false }]);
  });

  test('someone silenced makes no sound, not even closer, and keeps a folded alert', async () => {
    const silenced = new Set<string>();
    const listening = listen({ silenced });
    const { controller, actions, notices, folded, shown } = listening;
    controller.receiveAnswer([person()]);
    await vi.advanceTimersByTimeAsync(1000);
    silenced.add('sam');
    controller.review();
    expect(actions.at(-1)?.what).toBe('stopSpeech');
    expect(notices[0]?.isOpen).toBe(false);
    const before = actions.length;
    await walk(listening, 20, 60);
    expect(actions).toHaveLength(before);
    expect(shown()).toEqual([]);
    expect(folded()).toMatchObject([{ user_id: 'sam', silence: 'walk', isUrgent: true }]);
  });

  test('someone who is no longer silenced is announced again', async () => {
    const silenced = new Set(['sam']);
    const { controller, spoken, shown } = listen({ silenced });
    controller.receiveAnswer([person()]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(spoken()).toEqual([]);
    silenced.clear();
    controller.review();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(spoken()).toHaveLength(1);
    expect(shown()).toHaveLength(1);
  });
});

describe('an answer of a walker', () => {
  const said = ({ answers, advice, answeredAdvice }: ShownAlert) => [
    answers.theirs,
    answers.own,
    advice,
    answeredAdvice,
  ];
  const ADVICE = 'Leash your dog and give Rex room.';
  /** Receives that Sam stays near. */
  async function stay({ controller }: ReturnType<typeof listen>, seconds: number) {
    for (let second = 0; second < seconds; second += 5) {
      await vi.advanceTimersByTimeAsync(5_000);
      controller.receiveAnswer([person()]);
    }
  }

  test('changes the advice for a minute, each for its own, while the person stays near', async () => {
    const listening = listen();
    listening.controller.receiveAnswer([person()]);
    listening.controller.receiveAnswerOf('sam', 'theirs', 'crossing');
    await stay(listening, 30);
    listening.controller.receiveAnswerOf('sam', 'own', 'crossing');
    const both = 'You both cross: one of you should stay.';
    expect(listening.shown().map(said)).toEqual([['crossing', 'crossing', ADVICE, both]]);
    await stay(listening, 25);
    expect(listening.shown().map(said)).toEqual([['crossing', 'crossing', ADVICE, both]]);
    // Without anything received.
    await vi.advanceTimersByTimeAsync(5_000);
    expect(listening.shown().map(said)).toEqual([[null, 'crossing', ADVICE, null]]);
    await stay(listening, 30);
    expect(listening.shown().map(said)).toEqual([[null, null, ADVICE, null]]);
  });

  test('ends a minute after the last one, also in a page whose timers were stopped', async () => {
    const listening = listen();
    listening.controller.receiveAnswer([person()]);
    listening.controller.receiveAnswerOf('sam', 'theirs', 'crossing');
    await stay(listening, 40);
    listening.controller.receiveAnswerOf('sam', 'theirs', 'waiting');
    await stay(listening, 40);
    expect(listening.shown()).toMatchObject([{ answers: { theirs: 'waiting' } }]);
    vi.setSystemTime(Date.now() + 25_000);
    listening.controller.receiveAnswer([person()]);
    expect(listening.shown()).toMatchObject([{ answers: { theirs: null } }]);
  });

  test('lasts no longer when another tab takes over', async () => {
    const first = listen();
    first.controller.receiveAnswer([person()]);
    first.controller.receiveAnswerOf('sam', 'theirs', 'crossing');
    await stay(first, 50);
    const second = listen({ alerts: first.shown() });
    expect(second.shown()).toMatchObject([{ answers: { theirs: 'crossing', own: null } }]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(second.shown()).toMatchObject([{ answers: { theirs: null, own: null } }]);
  });

  test.each([true, false])(
    'survives a reload (acknowledged: %s), no longer than else',
    async (isFolded) => {
      let stored: ReturnType<AcknowledgedAlerts['read']> = [];
      const acknowledged = { read: () => stored, write: (next: typeof stored) => (stored = next) };
      const first = listen({ acknowledged });
      first.controller.receiveAnswer([person()]);
      await stay(first, 10);
      first.controller.receiveAnswerOf('sam', 'theirs', 'crossing');
      if (isFolded) first.controller.fold(['sam']);
      await stay(first, 30);
      const second = listen({ acknowledged });
      second.controller.receiveAnswer([person()]);
      const seen = () => (isFolded ? second.folded() : second.shown());
      expect(seen()).toMatchObject([{ answers: { theirs: 'crossing', own: null } }]);
      await stay(second, 30);
      expect(seen()).toMatchObject([{ answers: { theirs: null } }]);
      expect(stored).toMatchObject(isFolded ? [{ userId: 'sam' }] : []);
    },
  );
});

describe('takeover by another tab', () => {
  test('after a takeover, alerts stay shown and are not announced again', async () => {
    const first = listen();
    first.controller.receiveAnswer([person()]);
    expect(first.shown()).toMatchObject([{ user_id: 'sam', isAnnounced: false }]);
    await vi.advanceTimersByTimeAsync(SOUND_MS + SPEECH_MS);
    expect(first.shown()).toMatchObject([{ user_id: 'sam', isAnnounced: true }]);
    const second = listen({ alerts: first.shown() });
    expect(second.shown()).toEqual(first.shown());
    second.controller.receiveAnswer([person()]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(second.actions).toEqual([]);
    expect(second.shown()).toHaveLength(1);
    second.controller.receiveAnswer([]);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(second.shown()).toEqual([]);
  });

  test('after a takeover, interrupted and pending announcements are made', async () => {
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

  test('after a takeover, an alert ends when nothing more is received about the person', async () => {
    const first = listen();
    first.controller.receiveAnswer([person()]);
    const second = listen({ alerts: first.shown() });
    await vi.advanceTimersByTimeAsync(45_000);
    expect(second.shown()).toEqual([]);
  });
});

test('alerts about a person again after the clock was set back', async () => {
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
