import {
  GatewaySilent,
  type PaymentGateway,
  type PaymentState,
} from '../../api/payments/gateway.ts';

/** What the network does to one call of the gateway. */
export type Weather =
  | 'fine'
  /** It never arrives. */
  | 'lost-request'
  /** It is done, and nobody hears of it. */
  | 'lost-answer'
  /** Nobody hears of it, and it is done later, if it can be then. */
  | 'late';

interface Payment {
  key: string;
  state: PaymentState;
  /** How often money was taken. */
  charges: number;
}

/** A gateway in memory, over a network that loses things. */
export class FlakyGateway {
  readonly payments = new Map<string, Payment>();
  /** Requests that are still on their way, although nobody waits for them any more. */
  readonly late: (() => void)[] = [];
  private weather: Weather[] = [];

  /** Sets what happens to the next calls; after them it is fine again. */
  setWeather(weather: readonly Weather[]): void {
    this.weather = [...weather];
  }

  /** Gives a payment back, if it was made. */
  refund(id: string): void {
    const payment = this.payments.get(id);
    if (payment?.state === 'paid') payment.state = 'refunded';
  }

  /** One end of it, as one process has it. @param step runs before each call */
  gateway(step: () => Promise<void>): PaymentGateway {
    const ask = async <A>(run: () => A): Promise<A> => {
      await step();
      const weather = this.weather.shift() ?? 'fine';
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
          this.payments.set(id, { key, state: 'open', charges: 0 });
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
      refund: (id) =>
        ask(() => {
          this.refund(id);
          return 'refunded';
        }),
    };
  }
}
