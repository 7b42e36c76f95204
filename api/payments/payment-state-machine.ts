import type { Collection, Filter, MatchKeysAndValues, UpdateFilter } from 'mongodb';
import {
  PAYMENT_REFUSALS,
  type PaymentStatus,
  type PaymentToken,
} from '#shared/payments/contract.ts';
import { statusesBefore } from '#shared/payments/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import { isDuplicate } from '../database.ts';
import type { Log } from '../log.ts';
import { HttpError } from '../http/http-error.ts';
import { GatewaySilent, type PaymentGateway, type PaymentState } from './gateway.ts';
import type { PaymentRow, PaymentTokenRow } from './collections.ts';

/** Longer than the gateway may take for all of its calls. Safety does not rest on it: see docs/decisions/0080. */
const BUSY_MS = 90_000;
/** Whoever was about to give something when it was refunded has given it, or died, within this time. */
const GIVING_MS = 60 * 60_000;
/** A payment of which the gateway was never asked is forgotten after so long. */
const UNASKED_MS = 7 * DAY_MS;

export interface MachineSettings<Row extends PaymentRow> {
  /** What the payments are for, such as `donation`: part of every key. */
  kind: string;
  description: string;
  rows: Collection<Row>;
  tokens: Collection<PaymentTokenRow>;
  gateway: PaymentGateway;
  log: Log;
  /** Gives what was paid for, once however often it runs, unless it was taken back already. */
  fulfil(row: Row): Promise<void>;
  /** Takes back what was given for a payment that was refunded; may be repeated. */
  takeBack(row: Row): Promise<void>;
  now?: () => Date;
}

export interface PaymentMachine<Row extends PaymentRow> {
  /**
   * Charges a payment with a token, unless that was done.
   * @returns how it stands now; `pending` when somebody else is at it or the gateway is silent
   * @throws HttpError 400 for a token that is none, 409 for one of another payment
   */
  pay(row: Row, token: PaymentToken): Promise<Row>;
  /** What `pay` does first, for whoever has something to do between: the token is this payment's. @throws as `pay` does */
  claim(row: Row, token: PaymentToken): Promise<void>;
  /** Finds out what came of a payment that was left open, and closes one that was not made. Charges nothing. */
  settle(row: Row): Promise<Row>;
  /**
   * Gives back a payment that was made.
   * @returns how it stands now; `completed` when the gateway is silent, and it is to be asked again
   */
  refund(row: Row): Promise<Row>;
  /**
   * The gateway told something about a payment of its own. A part that was given back is noted, and takes nothing away.
   * @returns whether it is one of these
   */
  handleEvent(paymentId: string, returnedCents?: number): Promise<boolean>;
  /** Settles what was left open by a crash or a lost answer, and forgets what nobody paid. */
  sweep(): Promise<void>;
}

/** Moves payments of one kind from one status to the next: exactly one charge, and what it is for exactly once. */
export function paymentMachine<Row extends PaymentRow>(
  settings: MachineSettings<Row>,
): PaymentMachine<Row> {
  const { kind, rows, tokens, gateway, log, now = () => new Date() } = settings;

  // The driver's types cannot see through the kind of row.
  const where = (filter: Filter<PaymentRow>) => filter as Filter<Row>;
  const set = (changes: Partial<PaymentRow>) =>
    ({
      $set: { ...changes, updated_at: now() } as unknown as MatchKeysAndValues<Row>,
    }) as UpdateFilter<Row>;
  // Where the gateway was changed, what the other one knows waits for it.
  const isOurs = (row: Row) => row.payment_provider === gateway.name;
  const free = () => ({ $or: [{ busy_until: null }, { busy_until: { $lt: now() } }] });

  async function read(id: string): Promise<Row> {
    const row = await rows.findOne(where({ _id: id }));
    if (!row) throw new Error(`${kind} ${id} does not exist`);
    return row as Row;
  }

  async function change(filter: Filter<PaymentRow>, changes: Partial<PaymentRow>) {
    const row = await rows.findOneAndUpdate(where(filter), set(changes), {
      returnDocument: 'after',
    });
    return row as Row | null;
  }

  async function record(
    id: string,
    payment_status: PaymentStatus,
    failure: string | null = null,
  ): Promise<Row> {
    const moved = await change(
      { _id: id, payment_status: { $in: statusesBefore(payment_status) } },
      { payment_status, failure, busy_until: null, is_settled: payment_status === 'failed' },
    );
    return finish(moved ?? (await read(id)));
  }

  const STATUS_OF = { paid: 'completed', closed: 'failed', refunded: 'refunded' } as const;
  const recordState = (id: string, state: Exclude<PaymentState, 'open'>, failure: string) =>
    record(id, STATUS_OF[state], state === 'closed' ? failure : null);

  /** Does what follows from where a payment stands; a failure is made good by the next one who asks, or the sweep. */
  async function finish(row: Row): Promise<Row> {
    const { _id, payment_status } = row;
    if (row.is_settled || payment_status === 'pending' || payment_status === 'failed') return row;
    try {
      if (payment_status === 'completed') await settings.fulfil(row);
      else await settings.takeBack(row);
    } catch (err) {
      log.error({ err, [kind]: _id }, 'failed to fulfill or revoke a payment');
      return row;
    }
    // Only while it stands there still: a refund meanwhile has something else to do.
    return (await change({ _id, payment_status }, { is_settled: true })) ?? finish(await read(_id));
  }

  /** @returns what the gateway charges */
  async function claim({ _id: payment }: Row, token: PaymentToken): Promise<string> {
    const { id, charge } = gateway.readToken(token);
    const row = { _id: `${gateway.name}:${id}`, payment: `${kind}:${payment}`, at: now() };
    try {
      await tokens.insertOne(row);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const first = await tokens.findOne({ _id: row._id });
      if (first?.payment !== row.payment)
        throw new HttpError(409, 'Payment processing failed', { code: 'payment_token_used' });
    }
    return charge;
  }

  /** Opens the payment at the gateway. @returns null when it was called off meanwhile */
  async function open(row: Row): Promise<string | null> {
    const paymentId = await gateway.open({
      key: `${kind}-${row._id}`,
      amount_cents: row.amount_cents,
      currency: row.currency,
      description: settings.description,
      email: row.email,
    });
    const filter = { _id: row._id, payment_status: 'pending' as const, payment_id: null };
    if (await change(filter, { payment_id: paymentId })) return paymentId;
    return (await read(row._id)).payment_id;
  }

  /** Runs what needs to be alone, unless somebody is at it; the lease is let go of when the gateway is silent. */
  async function alone(row: Row, run: (mine: Row) => Promise<Row>): Promise<Row> {
    const mine = await change(
      { _id: row._id, payment_status: 'pending', ...free() },
      { busy_until: new Date(now().getTime() + BUSY_MS), submitted_at: row.submitted_at ?? now() },
    );
    if (!mine) return finish(await read(row._id));
    try {
      return await run(mine);
    } catch (err) {
      const freed = await change(
        { _id: row._id, payment_status: 'pending', busy_until: mine.busy_until },
        { busy_until: null },
      );
      if (!(err instanceof GatewaySilent)) throw err;
      log.warn({ err, [kind]: row._id }, 'a payment is not settled yet');
      return freed ?? finish(await read(row._id));
    }
  }

  async function settle(row: Row): Promise<Row> {
    if (row.payment_status !== 'pending') return finish(row);
    if (!isOurs(row)) return row;
    return alone(row, async ({ _id, payment_id }) => {
      const called = PAYMENT_REFUSALS.notPaid;
      if (payment_id) return recordState(_id, await gateway.close(payment_id), called);
      // Nobody pays what has no id yet, and from here on nobody gives it one.
      const off = await change(
        { _id, payment_status: 'pending', payment_id: null },
        { payment_status: 'failed', failure: called, busy_until: null, is_settled: true },
      );
      if (off) return off;
      const moved = await read(_id);
      return moved.payment_status === 'pending' && moved.payment_id
        ? recordState(_id, await gateway.close(moved.payment_id), called)
        : finish(moved);
    });
  }

  return {
    async pay(row, token) {
      if (row.payment_status !== 'pending') return finish(row);
      if (!isOurs(row)) return row;
      const charge = await claim(row, token);
      return alone(row, async (mine) => {
        const paymentId = mine.payment_id ?? (await open(mine));
        if (!paymentId) return finish(await read(mine._id));
        const outcome = await gateway.pay(paymentId, charge);
        // Refused: closed for good, so that nothing can be charged after we have said so.
        const state = outcome === 'declined' ? await gateway.close(paymentId) : outcome;
        const failure =
          outcome === 'declined' ? PAYMENT_REFUSALS.declined : PAYMENT_REFUSALS.notPaid;
        return recordState(mine._id, state, failure);
      });
    },

    async claim(row, token) {
      await claim(row, token);
    },

    settle,

    async refund(row) {
      if (row.payment_status !== 'completed' || !row.payment_id || !isOurs(row)) return finish(row);
      try {
        const state = await gateway.refund(row.payment_id);
        return await recordState(row._id, state, PAYMENT_REFUSALS.notPaid);
      } catch (err) {
        if (!(err instanceof GatewaySilent)) throw err;
        log.warn({ err, [kind]: row._id }, 'a payment is not refunded yet');
        return row;
      }
    },

    async handleEvent(paymentId, returnedCents = 0) {
      const which = where({ payment_id: paymentId });
      const row = (await rows.findOne(which)) as Row | null;
      if (!row) return false;
      // Whatever order it is told in: it only grows.
      if (returnedCents > 0)
        await rows.updateOne(which, { $max: { returned_cents: returnedCents } as never });
      const state = await gateway.look(paymentId);
      if (state !== 'open') await recordState(row._id, state, PAYMENT_REFUSALS.notPaid);
      return true;
    },

    async sweep() {
      const old = { $lt: new Date(now().getTime() - UNASKED_MS) };
      await rows.deleteMany(
        where({ payment_status: 'pending', submitted_at: null, created_at: old }),
      );
      const left = await rows
        .find(
          where({
            is_settled: false,
            $or: [
              { payment_status: 'pending', submitted_at: { $ne: null }, ...free() },
              { payment_status: { $in: ['completed', 'refunded'] } },
            ],
          }),
        )
        .toArray();
      for (const row of left)
        await settle(row as Row).catch((err: unknown) =>
          log.warn({ err, [kind]: row._id }, 'failed to settle a payment'),
        );
      // Once more: somebody may have been giving it just then, and been cut off before they saw the refund.
      const since = new Date(now().getTime() - GIVING_MS);
      const refunded = await rows
        .find(where({ payment_status: 'refunded', updated_at: { $gt: since } }))
        .toArray();
      for (const row of refunded) await settings.takeBack(row as Row);
    },
  };
}
