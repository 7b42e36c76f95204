import { statusIn, type ProviderState } from '#shared/payments/provider-states.ts';
import {
  GatewaySilent,
  type PaymentGateway,
  type PaymentState,
} from '../../api/features/payments/gateway.ts';

/** What happens to one call of the gateway on the network. */
export type Weather =
  | 'fine'
  /** It never arrives. */
  | 'lost-request'
  /** It is done, and the response is lost. */
  | 'lost-answer'
  /** The response is lost, and the request is processed later if it is still valid. */
  | 'late';

interface Payment {
  key: string;
  state: PaymentState;
  /** What the banks did with the money. */
  money: ProviderState;
  /** How often money was taken. */
  charges: number;
}

/** A gateway in memory, over a network that loses things. */
export class FlakyGateway {
  readonly payments = new Map<string, Payment>();
  /** Delayed requests whose callers no longer wait. */
  readonly late: (() => void)[] = [];
  #weather: Weather[] = [];

  /** Sets what happens to the next calls. All later calls succeed. */
  setWeather(weather: readonly Weather[]): void {
    this.#weather = [...weather];
  }

  /** Refunds a payment if it was made. */
  refund(id: string): void {
    if (this.payments.get(id)?.state === 'paid') this.moveMoney(id, 'refunded');
  }

  /** Lets the banks do something with the money, if the payment was made. @returns whether it was */
  moveMoney(id: string, to: ProviderState): boolean {
    const payment = this.payments.get(id);
    if (payment?.state !== 'paid' && payment?.state !== 'refunded') return false;
    payment.money = to;
    payment.state = statusIn(to) === 'refunded' ? 'refunded' : 'paid';
    return true;
  }

  /** The gateway client of one process. @param step runs before each call */
  gateway(step: () => Promise<void>): PaymentGateway {
    const ask = async <A>(run: () => A): Promise<A> => {
      await step();
      const weather = this.#weather.shift() ?? 'fine';
      if (weather === 'late') this.late.push(() => void run());
      const answer = weather === 'fine' || weather === 'lost-answer' ? run() : undefined;
      if (weather !== 'fine' || answer === undefined) throw new GatewaySilent(weather);
      return answer;
    };
    const of = (id: string): Payment => {
      const payment = this.payments.get(id);
      if (!payment) throw new Error(`no payment ${id}`);
      return payment;
    };
    return {
      name: 'sandbox',
      wallet: {
        environment: 'TEST',
        gateway: 'flaky',
        card_form_key: null,
        gatewayMerchantId: '',
        merchantId: '',
        tokenization_parameters: {},
        is_sandbox: true,
      },
      readToken: (token) => ({ id: String(token), charge: String(token) }),
      open: ({ key }) =>
        ask(() => {
          for (const [id, payment] of this.payments) if (payment.key === key) return id;
          const id = `pay-${key}`;
          this.payments.set(id, { key, state: 'open', money: 'clear', charges: 0 });
          return id;
        }),
      pay: (id, charge) =>
        ask(() => {
          const payment = of(id);
          if (payment.state !== 'open') return payment.state;
          if (charge.startsWith('bad')) return 'declined';
          payment.state = 'paid';
          payment.charges++;
          return 'paid';
        }),
      close: (id) =>
        ask(() => {
          const payment = of(id);
          if (payment.state !== 'open') return payment.state;
          payment.state = 'closed';
          return 'closed';
        }),
      look: (id) => ask(() => of(id).state),
      report: (id) =>
        ask(() => {
          const { state, money } = of(id);
          return { state, provider_state: money, returned_cents: 0 };
        }),
      refund: (id) =>
        ask(() => {
          this.refund(id);
          return 'refunded';
        }),
    };
  }
}
