import * as fc from 'fast-check';
import type { FlakyGateway } from './flaky-gateway.ts';
import { Actor } from './steps.ts';

/** Starts a job that may be killed before one of its steps. */
type Start<B> = B & { is: 'start'; killedAfter: number | null };
/** The next event, including the passage of time and a late response. */
export type ScheduledEvent<B> =
  | Start<B>
  | { is: 'go'; who: number; steps: number }
  | { is: 'tick' }
  | { is: 'late' };

/**
 * Generates random schedules.
 * @param begun the jobs that may start
 * @param limits the weight and the maximum steps of continuations, and the maximum number of events
 */
export const schedules = <B extends object>(
  begun: { [K in keyof B]: fc.Arbitrary<B[K]> },
  limits: { goWeight: number; stepsMax: number; eventsMax: number },
): fc.Arbitrary<ScheduledEvent<B>[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          is: fc.constant('start' as const),
          ...begun,
          killedAfter: fc.option(fc.nat(25)),
        }) as unknown as fc.Arbitrary<Start<B>>,
      },
      {
        weight: limits.goWeight,
        arbitrary: fc.record({
          is: fc.constant('go' as const),
          who: fc.nat(20),
          steps: fc.integer({ min: 1, max: limits.stepsMax }),
        }),
      },
      { weight: 1, arbitrary: fc.constant({ is: 'tick' as const }) },
      { weight: 1, arbitrary: fc.constant({ is: 'late' as const }) },
    ),
    { minLength: 1, maxLength: limits.eventsMax, size: 'max' },
  );

/** The jobs of one run. */
export class Stage<B> {
  readonly #actors: Actor[] = [];
  readonly #world: { bank: FlakyGateway; clock: { ahead: number } };
  readonly #tickMs: number;
  readonly #run: (begun: Start<B>, step: () => Promise<void>) => Promise<unknown>;
  readonly #onDone: (actor: Actor) => void;

  /** @param onDone is called for each job that ended or was killed */
  constructor(
    world: { bank: FlakyGateway; clock: { ahead: number } },
    tickMs: number,
    run: (begun: Start<B>, step: () => Promise<void>) => Promise<unknown>,
    onDone: (actor: Actor) => void = () => {},
  ) {
    this.#world = world;
    this.#tickMs = tickMs;
    this.#run = run;
    this.#onDone = onDone;
  }

  /** Plays one event. */
  async play(event: ScheduledEvent<B>): Promise<void> {
    const { bank, clock } = this.#world;
    if (event.is === 'tick') clock.ahead += this.#tickMs;
    else if (event.is === 'late') bank.late.shift()?.();
    else if (event.is === 'start') {
      const actor = new Actor(event.killedAfter ?? Infinity);
      this.#actors.push(actor);
      await actor.begin(() => this.#run(event, actor.step));
    } else {
      const living = this.#living();
      const actor = living[event.who % Math.max(1, living.length)];
      for (let step = 0; actor && !actor.isDone && step < event.steps; step++)
        await this.#advance(actor);
    }
  }

  /** Runs the remaining jobs to their ends, in turn. */
  async finish(): Promise<void> {
    while (this.#living().length > 0)
      for (const actor of this.#living()) await this.#advance(actor);
  }

  async #advance(actor: Actor): Promise<void> {
    await actor.advance();
    if (actor.isDone) this.#onDone(actor);
  }

  #living(): Actor[] {
    return this.#actors.filter((actor) => !actor.isDone);
  }
}
