import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '#shared/time.ts';
import {
  type ReceivedMessage,
  type MessageOrder,
  resolveCell,
} from '../../api/features/alerts/resolve-cell.ts';

const START = Date.parse('2026-11-28T00:00:00Z');
const at = (minutes: number) => new Date(START + minutes * MINUTE_MS);
const ZONES = ['NYZ001', 'NYZ002', 'NYZ003'] as const;
type Zone = (typeof ZONES)[number];

/** A message of the model, which also knows the zones as such. */
type Message = MessageOrder & { zones: Zone[] };

/**
 * A plain model of the weather service: for each zone, the messages in force. A message replaces those that it refers to, and
 * earlier ones of its numbered event, in the zones that it names and nowhere else.
 */
class Service {
  minute = 0;
  readonly messages: Message[] = [];
  readonly #inForce = new Map<Zone, Message[]>(ZONES.map((zone) => [zone, []]));

  /** The messages in force in a zone now. */
  inForce = (zone: Zone): Message[] =>
    (this.#inForce.get(zone) as Message[]).filter((message) => !this.#isOver(message));

  #isOver = ({ expires_at }: Message) => expires_at !== null && expires_at <= at(this.minute);

  /** All that are in force somewhere, each with the zones where it is. */
  current(): { message: Message; zones: Zone[] }[] {
    return this.messages.flatMap((message) => {
      const zones = ZONES.filter((zone) => this.inForce(zone).includes(message));
      return zones.length > 0 ? [{ message, zones }] : [];
    });
  }

  send(
    kind: Message['kind'],
    zones: Zone[],
    lasts: number,
    before: Message[],
    vtec: string | null,
  ) {
    const message: Message = {
      alert_id: `urn:${this.messages.length}`,
      kind,
      zones,
      references: [
        ...new Set(before.flatMap(({ alert_id, references }) => [...references, alert_id])),
      ],
      vtec,
      sent_at: at(this.minute),
      expires_at: at(this.minute + lasts),
    };
    this.messages.push(message);
    for (const zone of zones) {
      const kept = (this.#inForce.get(zone) as Message[]).filter(
        (other) =>
          !message.references.includes(other.alert_id) &&
          !(vtec !== null && other.vtec === vtec && other.sent_at < message.sent_at),
      );
      this.#inForce.set(zone, kind === 'cancel' ? kept : [...kept, message]);
    }
  }

  /** The answer for a zone: with what was replaced as long as what replaced it is listed, or without. */
  list(zone: Zone, isComplete: boolean): Message[] {
    const inForce = this.inForce(zone);
    const listed = this.messages.filter(
      (message) =>
        message.zones.includes(zone) &&
        !this.#isOver(message) &&
        (message.kind === 'cancel' || inForce.includes(message)),
    );
    if (!isComplete) return listed;
    const replaced = new Set(listed.flatMap(({ references }) => references));
    return this.messages.filter(
      (message) =>
        listed.includes(message) ||
        (replaced.has(message.alert_id) && message.zones.includes(zone) && !this.#isOver(message)),
    );
  }
}

type Step =
  | { is: 'issue'; zones: Zone[]; lasts: number; isNumbered: boolean }
  | {
      is: 'update' | 'cancel' | 'split' | 'merge';
      which: number;
      other: number;
      lasts: number;
      some: Zone[];
    }
  | { is: 'wait'; minutes: number }
  | { is: 'poll'; zone: Zone; isComplete: boolean; order: number; thenAgain: number };

const some = fc.subarray([...ZONES], { minLength: 1 });
const lasts = fc.integer({ min: 5, max: 200 });
const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        is: fc.constant('issue' as const),
        zones: some,
        lasts,
        isNumbered: fc.boolean(),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        is: fc.constantFrom(
          'update' as const,
          'cancel' as const,
          'split' as const,
          'merge' as const,
        ),
        which: fc.nat(20),
        other: fc.nat(20),
        lasts,
        some,
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        is: fc.constant('wait' as const),
        minutes: fc.integer({ min: 1, max: 60 }),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        is: fc.constant('poll' as const),
        zone: fc.constantFrom(...ZONES),
        isComplete: fc.boolean(),
        order: fc.nat(1000),
        thenAgain: fc.nat(5),
      }),
    },
  ),
  { maxLength: 40, size: 'max' },
);

const shuffled = <T>(values: readonly T[], seed: number): T[] =>
  values
    .map((value, index) => ({ value, key: (index * 7919 + seed * 104_729) % 1009 }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ value }) => value);
const idsOf = (messages: readonly { alert_id: string }[]) =>
  messages.map(({ alert_id }) => alert_id).toSorted();

function act(service: Service, step: Exclude<Step, { is: 'poll' }>): void {
  if (step.is === 'wait') return void (service.minute += step.minutes);
  if (step.is === 'issue') {
    const vtec = step.isNumbered ? `KBUF.BZ.W.${service.messages.length}` : null;
    return service.send('alert', step.zones, step.lasts, [], vtec);
  }
  const current = service.current();
  const first = current[step.which % current.length];
  const second = current[step.other % current.length];
  if (!first || !second) return;
  const zones = first.zones.filter((zone) => step.some.includes(zone));
  const { vtec } = first.message;
  if (step.is === 'split')
    for (const zone of first.zones)
      service.send('update', [zone], step.lasts, [first.message], vtec);
  else if (step.is === 'merge') {
    const all = ZONES.filter((zone) => first.zones.includes(zone) || second.zones.includes(zone));
    service.send('update', all, step.lasts, [first.message, second.message], vtec);
  } else if (zones.length > 0) service.send(step.is, zones, step.lasts, [first.message], vtec);
}

/** Plays a script. @returns what cells showed, beside what the model says, and how many messages were shown and hidden */
function play(script: readonly Step[]) {
  const service = new Service();
  const remembered = new Map<Zone, ReceivedMessage[]>();
  const answers = new Map<Zone, Message[][]>();
  const seen: string[][] = [];
  const expected: string[][] = [];
  let [shown, hidden] = [0, 0];
  const poll = (zone: Zone, listed: readonly Message[]) => {
    const before = remembered.get(zone) ?? [];
    const { inForce, received } = resolveCell(listed, before, at(service.minute));
    remembered.set(zone, received);
    return inForce.toSorted();
  };
  for (const step of script) {
    if (step.is !== 'poll') {
      act(service, step);
      continue;
    }
    const { zone } = step;
    const listed = shuffled(service.list(zone, step.isComplete), step.order);
    const inForce = service.inForce(zone);
    seen.push(poll(zone, listed));
    expected.push(idsOf(inForce));
    shown += inForce.length;
    hidden += listed.length - inForce.length;
    const earlier = answers.get(zone) ?? [];
    answers.set(zone, [...earlier, listed]);
    const older = earlier.at(-1 - step.thenAgain);
    if (!older) continue;
    // An older answer from another server of the service: what replaced its messages stays, and they don't come back.
    const again = poll(zone, older);
    const ended = older.flatMap(({ references }) => references);
    const goesOn = idsOf(older).filter((id) => !ended.includes(id));
    const stays = inForce.filter(({ alert_id, references }) =>
      [alert_id, ...references].some((id) => goesOn.includes(id)),
    );
    const replaced = [...earlier.flat(), ...listed].flatMap(({ references }) => references);
    seen.push(
      again.filter((id) => idsOf(stays).includes(id)),
      again.filter((id) => replaced.includes(id)),
      poll(zone, listed),
    );
    expected.push(idsOf(stays), [], idsOf(inForce));
  }
  return { seen, expected, shown, hidden };
}

test('each zone has what the weather service has in force there, whatever is updated, canceled, split or merged elsewhere', () => {
  let [allShown, allHidden] = [0, 0];
  fc.assert(
    fc.property(steps, (script) => {
      const { seen, expected, shown, hidden } = play(script);
      expect(seen).toEqual(expected);
      allShown += shown;
      allHidden += hidden;
    }),
    { numRuns: 3_000 },
  );
  // The scripts do reach what they are about.
  expect(allShown).toBeGreaterThan(1_000);
  expect(allHidden).toBeGreaterThan(1_000);
});

describe('the messages in force in one cell', () => {
  const message = (alert_id: string, change: Partial<MessageOrder> = {}): MessageOrder => ({
    alert_id,
    kind: 'alert',
    references: [],
    zones: [],
    vtec: null,
    sent_at: at(0),
    expires_at: at(60),
    ...change,
  });
  const inForce = (...listed: MessageOrder[]) => resolveCell(listed, [], at(10)).inForce.toSorted();

  test('the parts of a split replace the whole at once, with the same time as that or later', () => {
    const whole = message('whole', { vtec: 'KBUF.BZ.W.0001' });
    const part = message('part', { references: ['whole'], vtec: 'KBUF.BZ.W.0001' });
    expect(inForce(whole, part)).toEqual(['part']);
    expect(inForce({ ...part, sent_at: at(1) }, whole)).toEqual(['part']);
  });

  test('messages that refer to each other, or to something later, hide nothing', () => {
    const [a, b] = [message('a', { references: ['b'] }), message('b', { references: ['a'] })];
    expect(inForce(a, b)).toEqual(['a', 'b']);
    expect(inForce(message('a', { references: ['b'] }), message('b', { sent_at: at(2) }))).toEqual([
      'a',
      'b',
    ]);
    expect(inForce(message('a', { references: ['a'] }))).toEqual(['a']);
  });

  test('an update or a cancellation of other zones leaves a message in force', () => {
    const goesOn = message('goes on', { zones: ['NYZ002'] });
    for (const kind of ['update', 'cancel'] as const) {
      const other = message('other', {
        kind,
        zones: ['NYZ001'],
        references: ['goes on'],
        sent_at: at(1),
      });
      expect(inForce(goesOn, other)).toContain('goes on');
    }
  });

  test('what an update that is over replaced doesn’t come back', () => {
    const first = message('first', { expires_at: at(600) });
    const short = message('short', {
      kind: 'update',
      references: ['first'],
      sent_at: at(5),
      expires_at: at(9),
    });
    expect(inForce(first, short)).toEqual([]);
    const { received } = resolveCell([first, short], [], at(8));
    expect(resolveCell([first], received, at(10)).inForce).toEqual([]);
  });

  test('a later message of the same numbered event replaces an earlier one without a reference', () => {
    const vtec = 'KBUF.WS.W.0007';
    const issues = [0, 1, 2].map((n) => message(`issue ${n}`, { vtec, sent_at: at(n) }));
    expect(inForce(...issues)).toEqual(['issue 2']);
    expect(inForce(...issues, message('gone', { vtec, kind: 'cancel', sent_at: at(3) }))).toEqual(
      [],
    );
  });

  test('a cancellation that is still listed brings no later message of its event back', () => {
    const vtec = 'KBUF.WS.W.0007';
    const gone = message('gone', { kind: 'cancel', vtec });
    const later = message('later', { kind: 'update', vtec, sent_at: at(1) });
    const { received } = resolveCell([gone, later], [], at(2));
    expect(resolveCell([gone], received, at(3)).inForce).toEqual([]);
  });

  test('remembers a bounded number of messages for a day', () => {
    const many = Array.from({ length: 300 }, (_, n) => message(`${n}`, { sent_at: at(n / 100) }));
    const { received } = resolveCell(many, [], at(10));
    expect(received.length).toBeLessThanOrEqual(100);
    expect(resolveCell([], received, at(10 + 24 * 60)).received).toEqual([]);
  });
});
