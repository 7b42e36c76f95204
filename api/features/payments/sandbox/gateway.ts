import type { Db } from 'mongodb';
import { HttpError } from '#shared/http/http-error.ts';
import { newId } from '#shared/ids.ts';
import { statesAfter, statusIn, type ProviderState } from '#shared/payments/provider-states.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { type SandboxPaymentRow, sandboxPayments } from '../collections.ts';
import { GatewaySilent, type PaymentGateway, type PaymentState } from '../gateway.ts';
import { readToken } from './token.ts';

const MERCHANT = 'exampleGatewayMerchantId';

/** The sandbox gateway, whose banks do with the money what a developer says. */
export interface SandboxGateway extends PaymentGateway {
  /** Lets the banks do something with the money of a payment. @returns whether that can follow what they did before */
  simulate(paymentId: string, to: ProviderState): Promise<boolean>;
}

/** The sandbox gateway: no money moves, and cards do what the user chose in the simulated wallet. */
export function sandboxGateway(db: Db): SandboxGateway {
  async function read(paymentId: string): Promise<SandboxPaymentRow> {
    const payment = await sandboxPayments(db).findOne({ _id: paymentId });
    if (!payment) throw new Error(`the sandbox has no payment ${paymentId}`);
    return payment;
  }
  const look = async (paymentId: string): Promise<PaymentState> => (await read(paymentId)).status;

  const move = (paymentId: string, status: PaymentState) =>
    sandboxPayments(db).updateOne({ _id: paymentId, status: 'open' }, { $set: { status } });

  return {
    name: 'sandbox',
    wallet: {
      environment: 'TEST',
      gateway: 'example',
      gatewayMerchantId: MERCHANT,
      merchantId: '',
      tokenization_parameters: { gateway: 'example', gatewayMerchantId: MERCHANT },
      is_sandbox: true,
      card_form_key: null,
    },
    readToken(token) {
      try {
        return readToken(token);
      } catch (cause) {
        throw new HttpError(400, 'Payment processing failed', { code: 'payment_token', cause });
      }
    },
    async open({ key, amount_cents }) {
      const _id = `sip_${newId()}`;
      try {
        await sandboxPayments(db).insertOne({
          _id,
          key,
          amount_cents,
          status: 'open',
          at: new Date(),
        });
        return _id;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        const first = await sandboxPayments(db).findOne({ key });
        if (!first) throw error;
        return first._id;
      }
    },
    async pay(paymentId, card) {
      const before = await look(paymentId);
      if (before !== 'open') return before;
      if (card === 'declined') return 'declined';
      if (card === 'times-out') throw new GatewaySilent('the simulated card timed out');
      await move(paymentId, 'paid');
      if (card === 'answer-lost') throw new GatewaySilent('the simulated answer was lost');
      const after = await look(paymentId);
      return after === 'open' ? 'declined' : after;
    },
    async close(paymentId) {
      await move(paymentId, 'closed');
      const after = await look(paymentId);
      if (after === 'open') throw new GatewaySilent('the payment did not close');
      return after;
    },
    look,
    async report(paymentId) {
      const { status, provider_state, returned_cents } = await read(paymentId);
      return {
        state: status,
        provider_state: provider_state ?? (status === 'refunded' ? 'refunded' : 'clear'),
        returned_cents: returned_cents ?? 0,
      };
    },
    async simulate(paymentId, to) {
      const payment = await sandboxPayments(db).findOne({ _id: paymentId });
      const isPaid = payment?.status === 'paid' || payment?.status === 'refunded';
      const before =
        payment?.provider_state ?? (payment?.status === 'refunded' ? 'refunded' : 'clear');
      if (!payment || !isPaid || !statesAfter(before).includes(to)) return false;
      const returned = {
        clear: 0,
        partly_refunded: Math.ceil(payment.amount_cents / 2),
        refund_pending: payment.amount_cents,
        refunded: payment.amount_cents,
        refund_failed: 0,
        disputed: payment.returned_cents ?? 0,
        dispute_won: payment.returned_cents ?? 0,
        dispute_lost: payment.returned_cents ?? 0,
      } satisfies Record<ProviderState, number>;
      const { status, provider_state } = payment;
      const unchanged = provider_state ?? { $exists: false };
      const { modifiedCount } = await sandboxPayments(db).updateOne(
        { _id: paymentId, status, provider_state: unchanged },
        {
          $set: {
            status: statusIn(to) === 'refunded' ? 'refunded' : 'paid',
            provider_state: to,
            returned_cents: returned[to],
          },
        },
      );
      return modifiedCount === 1;
    },
    async refund(paymentId) {
      await sandboxPayments(db).updateOne({ _id: paymentId, status: 'paid' }, [
        {
          $set: { status: 'refunded', provider_state: 'refunded', returned_cents: '$amount_cents' },
        },
      ]);
      const after = await look(paymentId);
      if (after === 'open' || after === 'paid')
        throw new GatewaySilent('the payment was not refunded');
      return after;
    },
  };
}
