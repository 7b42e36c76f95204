import type { Collection, Filter, MatchKeysAndValues, UpdateFilter } from 'mongodb';
import { HttpError } from '#shared/http/http-error.ts';
import { PAYMENT_REFUSALS, type PaymentToken } from '#shared/payments/contract.ts';
import { canRefund } from '#shared/payments/provider-states.ts';
import type { PaymentStatus } from '#shared/payments/rules.ts';
import { canReport, statusesBefore } from '#shared/payments/rules.ts';
import type { Log } from '#shared/server/log.ts';
import { DAY_MS, HOUR_MS } from '#shared/time.ts';
import { insertIfAbsent } from '../../platform/database.ts';
import { forEachIsolated, runIsolated } from '../../platform/for-each-isolated.ts';
import { providerStateOf, type PaymentRow, type PaymentTokenRow } from './collections.ts';
import { GatewaySilent, type PaymentGateway, type PaymentState } from './gateway.ts';

/** Longer than all calls to the gateway take. Safety does not depend on it (decision 80). */
const LEASE_MS = 90_000;
/** A process that fulfills a payment during its refund has finished or died by then. */
const FULFILL_MS = HOUR_MS;
/** Payments that were never submitted are deleted after this time. */
const UNSUBMITTED_MS = 7 * DAY_MS;
/** How often a report is read again because another one was stored meanwhile. */
const TRIES = 5;

export interface MachineSettings<Row extends PaymentRow> {
  /** The kind of payments, such as `donation`; part of every key. */
  kind: string;
  description: string;
  rows: Collection<Row>;
  tokens: Collection<PaymentTokenRow>;
  gateway: PaymentGateway;
  log: Log;
  /**
   * Provides what was paid for, once however often it runs, unless it was revoked already. If the gateway reported something before
   * (`reports`), it restores what was revoked.
   */
  fulfil(row: Row): Promise<void>;
  /** Revokes what was provided for a payment that the payer got back; may be repeated. */
  takeBack(row: Row): Promise<void>;
  now?: () => Date;
}

export interface PaymentMachine<Row extends PaymentRow> {
  /**
   * Charges a payment with a token, unless it was charged already.
   * @returns the current row; `pending` when another process works on it or the gateway does not respond
   * @throws HttpError 400 for a token that is none, 409 for one of another payment
   */
  pay(row: Row, token: PaymentToken): Promise<Row>;
  /** The first step of `pay`: assigns the token to this payment. @throws as `pay` does */
  claim(row: Row, token: PaymentToken): Promise<void>;
  /** Finds out the result of an open payment, and closes it if it was not paid. Charges nothing. */
  settle(row: Row): Promise<Row>;
  /**
   * Refunds a completed payment, unless the gateway takes no refund of it now.
   * @returns the current row; `completed` when the gateway does not respond: then it must be called again
   */
  refund(row: Row): Promise<Row>;
  /**
   * Handles an event about a payment: reads it at the gateway, so that the order and number of events don't matter. Partial refunds
   * and open disputes are recorded and revoke nothing.
   * @returns whether the payment is of this kind
   */
  handleEvent(paymentId: string): Promise<boolean>;
  /** Settles payments left open by crashes or lost responses, and deletes unsubmitted ones. */
  runJob(): Promise<void>;
}

/** Moves payments of one kind between statuses: each is charged once and fulfilled once. */
export function createPaymentMachine<Row extends PaymentRow>(
  settings: MachineSettings<Row>,
): PaymentMachine<Row> {
  const { kind, rows, tokens, gateway, log, now = () => new Date() } = settings;

  // The driver's types cannot express filters of a generic row.
  const where = (filter: Filter<PaymentRow>) => filter as Filter<Row>;
  const set = (changes: Partial<PaymentRow>) =>
    ({
      $set: { ...changes, updated_at: now() } as unknown as MatchKeysAndValues<Row>,
    }) as UpdateFilter<Row>;
  // Payments of another gateway wait until it is configured again.
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

  /** Fulfills or revokes a payment according to its status. After a failure, the next call or the background job tries again. */
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
    const unchanged = { _id, payment_status, ...sameReport(row) };
    const settled = await change(unchanged, { is_settled: true });
    if (settled) return settled;
    // Its status changed meanwhile, and this may have undone what followed from that.
    return finish((await change({ _id }, { is_settled: false })) ?? (await read(_id)));
  }

  /** Only if no report of the gateway was stored since the row was read. */
  const sameReport = ({ reports }: Row): Filter<PaymentRow> =>
    ({ reports: reports ?? null }) as never;

  /** Records what the gateway reports of a payment. @returns whether it is of this kind */
  async function reconcile(paymentId: string): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const row = (await rows.findOne(where({ payment_id: paymentId }))) as Row | null;
      if (!row) return false;
      // After the row: if another report is stored in between, this one may be older.
      const { state, provider_state, returned_cents } = await gateway.report(paymentId);
      if (state === 'open') return true;
      const reported = STATUS_OF[state];
      const payment_status = canReport(row.payment_status, reported)
        ? reported
        : row.payment_status;
      // Also if it is the same as before: a report that was read earlier must not be stored after this one.
      const moved = await change(
        { _id: row._id, payment_status: row.payment_status, ...sameReport(row) },
        {
          provider_state,
          returned_cents,
          reports: (row.reports ?? 0) + 1,
          ...(payment_status === row.payment_status
            ? {}
            : {
                payment_status,
                failure: payment_status === 'failed' ? PAYMENT_REFUSALS.notPaid : null,
                busy_until: null,
                is_settled: payment_status === 'failed',
              }),
        },
      );
      if (!moved) continue;
      await finish(moved);
      return true;
    }
    throw new GatewaySilent('the payment changes all the time');
  }

  /** @returns the `charge` of the token */
  async function claim({ _id: payment }: Row, token: PaymentToken): Promise<string> {
    const { id, charge } = gateway.readToken(token);
    const row = { _id: `${gateway.name}:${id}`, payment: `${kind}:${payment}`, at: now() };
    if (!(await insertIfAbsent(tokens, row))) {
      const first = await tokens.findOne({ _id: row._id });
      if (first?.payment !== row.payment)
        throw new HttpError(409, 'Payment processing failed', { code: 'payment_token_used' });
    }
    return charge;
  }

  /** Opens the payment at the gateway. @returns its id; null when it was closed in the meantime */
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

  /**
   * Runs `run` while holding the payment's lease, or returns the row if another process holds it. Releases the lease if
   * the gateway does not respond.
   */
  async function withLease(row: Row, run: (mine: Row) => Promise<Row>): Promise<Row> {
    const mine = await change(
      { _id: row._id, payment_status: 'pending', ...free() },
      { busy_until: new Date(now().getTime() + LEASE_MS), submitted_at: row.submitted_at ?? now() },
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
    return withLease(row, async ({ _id, payment_id }) => {
      const failure = PAYMENT_REFUSALS.notPaid;
      if (payment_id) return recordState(_id, await gateway.close(payment_id), failure);
      // A payment without an id is not open at the gateway, and failing it prevents it from getting one.
      const off = await change(
        { _id, payment_status: 'pending', payment_id: null },
        { payment_status: 'failed', failure, busy_until: null, is_settled: true },
      );
      if (off) return off;
      const moved = await read(_id);
      return moved.payment_status === 'pending' && moved.payment_id
        ? recordState(_id, await gateway.close(moved.payment_id), failure)
        : finish(moved);
    });
  }

  return {
    async pay(row, token) {
      if (row.payment_status !== 'pending') return finish(row);
      if (!isOurs(row)) return row;
      const charge = await claim(row, token);
      return withLease(row, async (mine) => {
        const paymentId = mine.payment_id ?? (await open(mine));
        if (!paymentId) return finish(await read(mine._id));
        const outcome = await gateway.pay(paymentId, charge);
        // Closed after a decline, so that nothing can be charged after we reported the failure.
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
      const { payment_id } = row;
      if (row.payment_status !== 'completed' || !payment_id || !isOurs(row)) return finish(row);
      // A failed refund would fail again.
      if (!canRefund(providerStateOf(row))) return finish(row);
      try {
        await gateway.refund(payment_id);
        await reconcile(payment_id);
        return await read(row._id);
      } catch (err) {
        if (!(err instanceof GatewaySilent)) throw err;
        log.warn({ err, [kind]: row._id }, 'a payment is not refunded yet');
        return row;
      }
    },

    handleEvent: reconcile,

    async runJob() {
      const old = { $lt: new Date(now().getTime() - UNSUBMITTED_MS) };
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
      // Again, because a process may have fulfilled it during the refund, or the other way round, and then died.
      const since = new Date(now().getTime() - FULFILL_MS);
      const refunded = await rows
        .find(where({ payment_status: 'refunded', updated_at: { $gt: since } }))
        .toArray();
      const restored = await rows
        .find(
          where({
            payment_status: 'completed',
            reports: { $gt: 0 },
            updated_at: { $gt: since },
          }),
        )
        .toArray();
      const steps = [
        () => forEachIsolated(refunded, (row) => settings.takeBack(row as Row)),
        () => forEachIsolated(restored, (row) => settings.fulfil(row as Row)),
      ];
      await runIsolated(steps);
    },
  };
}
