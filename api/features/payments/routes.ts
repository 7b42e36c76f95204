import type { Context } from 'koa';
import { getAccess } from '#shared/access-gate/contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import {
  checkDonation,
  createDonation,
  DONOR_COOKIE,
  googlePayConfig,
  PAYMENT_REFUSALS,
  processDonation,
} from '#shared/payments/contract.ts';
import { tokenHash } from '#shared/server/collections.ts';
import { insertIfAbsent } from '../../platform/database.ts';
import { browserSecret, ensureBrowserSecret } from '../../platform/http/cookies.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import { addressOf, networkOf } from '../../platform/http/request-origin.ts';
import type { Api } from '../../platform/services.ts';
import type { Caller } from '../../platform/session-cache.ts';
import { accessStatus } from './access-status.ts';
import { mountAdminDonations } from './admin-routes.ts';
import { type DonationRow, donations, unsubmitted } from './collections.ts';
import { limitDeclined } from './declined.ts';
import { createDonationMachine } from './donations.ts';
import type { PaymentGateway } from './gateway.ts';
import { paymentsAreOff, unpaidRefusal, waitForResult } from './payment-result.ts';
import type { PaymentMachine } from './payment-state-machine.ts';
import { RECEIPTS_JOB, mountReceipts } from './receipts.ts';
import { runOldDonationsJob } from './retention.ts';
import { mountSandboxWallet } from './sandbox/wallet.ts';
import { stripeGateway } from './stripe.ts';
import { mountGatewayEvents, notifyListeners, type PaymentListener } from './webhook.ts';

const AGENT_MAX = 512;

/** The gateway, for other kinds of payments. */
export interface Payments {
  gateway: PaymentGateway;
  /** Adds a listener for events of the gateway. */
  listen(listener: PaymentListener): void;
}

declare module '../../platform/services.ts' {
  interface Offers {
    /** Null where payments are off. */
    payments: Payments | null;
  }
}

/** Donations with Google Pay. */
export async function mountPayments(api: Api): Promise<void> {
  const { services } = api;
  const { payments: settings } = services.env;
  mountAdminDonations(api);
  mountReceipts(services);
  serve(api, getAccess, ({ caller: { user } }) => accessStatus(services, user));
  services.metrics.gauge('donations_pending', 'Donations whose payment is open.', () =>
    donations(services.db).countDocuments({ payment_status: 'pending' }),
  );
  services.registerJob('old donations', () => runOldDonationsJob(services.db));
  if (settings === null) {
    mountWithout(api);
    api.offers.payments = null;
    return;
  }
  const listeners: PaymentListener[] = [];
  const listen = (listener: PaymentListener) => void listeners.push(listener);
  if (settings === 'sandbox') {
    const gateway = await mountSandboxWallet(api, (paymentId) =>
      notifyListeners(listeners, paymentId),
    );
    listen(mountDonations(api, gateway).handleEvent);
    api.offers.payments = { gateway, listen };
    return;
  }
  const gateway = stripeGateway(settings, services.log);
  listen(mountDonations(api, gateway).handleEvent);
  mountGatewayEvents(api, gateway, listeners);
  api.offers.payments = { gateway, listen };
}

/** Payments are off; access codes still work. */
function mountWithout(api: Api): void {
  const refuse = async () => {
    throw paymentsAreOff();
  };
  serve(api, googlePayConfig, refuse);
  serve(api, createDonation, refuse);
  serve(api, processDonation, refuse);
  serve(api, checkDonation, refuse);
}

function mountDonations(
  api: Api,
  gateway: PaymentGateway,
): Pick<PaymentMachine<DonationRow>, 'handleEvent'> {
  const { services } = api;
  const machine = createDonationMachine(services, gateway);
  const hourly = { seconds: 3_600, shared: true };
  const limitMade = services.limiter({ name: 'donation-made', points: 60, ...hourly });
  const declined = limitDeclined(services, 'donation-refused');
  const limitAsked = services.limiter({ name: 'donation-asked', points: 240, seconds: 60 });
  services.registerJob('payments', () => machine.runJob());

  serve(api, googlePayConfig, async () => gateway.wallet);

  serve(api, createDonation, async ({ body, visitor, idFor, ctx }) => {
    const address = addressOf(ctx);
    await limitMade(networkOf(address));
    const holder = tokenHash(ensureBrowserSecret(ctx, DONOR_COOKIE));
    const row: DonationRow = {
      _id: await idFor(visitor?.user._id ?? holder),
      holder,
      user_id: visitor?.user._id ?? null,
      email: body.email ?? visitor?.user.email ?? null,
      amount_cents: body.amount_cents,
      access_code_granted: null,
      ip_address: address,
      user_agent: ctx.get('user-agent').slice(0, AGENT_MAX),
      ...unsubmitted(gateway.name, new Date()),
    };
    const isNew = await insertIfAbsent(donations(services.db), row);
    return present(isNew ? row : await own(row._id, visitor, ctx));
  });

  serve(api, processDonation, async ({ body, visitor, ctx }) => {
    const network = networkOf(addressOf(ctx));
    const donation = await own(body.donation_id, visitor, ctx);
    const wasOpen = donation.payment_status === 'pending';
    const row = await declined.attempt(network, async (fail) => {
      const paid = await machine.pay(donation, body.payment_token);
      const done = await waitForResult(donations(services.db), machine, paid);
      if (wasOpen && done.failure === PAYMENT_REFUSALS.declined) fail();
      return done;
    });
    if (row.payment_status === 'completed') services.runJobSoon(RECEIPTS_JOB);
    if (row.payment_status === 'completed')
      return { success: true, access_code: row.access_code_granted };
    throw unpaidRefusal(row);
  });

  serve(api, checkDonation, async ({ body, visitor, ctx }) => {
    await limitAsked(networkOf(addressOf(ctx)));
    const row = await machine.settle(await own(body.donation_id, visitor, ctx));
    const { payment_status, access_code_granted } = row;
    return {
      payment_status,
      access_code: payment_status === 'completed' ? access_code_granted : null,
    };
  });

  /** @throws HttpError 404 unless this browser or this user made it */
  async function own(id: string, visitor: Caller | null, ctx: Context): Promise<DonationRow> {
    const donor = browserSecret(ctx, DONOR_COOKIE);
    const mine = [
      ...(donor ? [{ holder: tokenHash(donor) }] : []),
      ...(visitor ? [{ user_id: visitor.user._id }] : []),
    ];
    const row =
      mine.length > 0 ? await donations(services.db).findOne({ _id: id, $or: mine }) : null;
    if (!row) throw new HttpError(404, 'Donation not found');
    return row;
  }

  return machine;
}

const present = ({ _id, amount_cents, currency, payment_status }: DonationRow) => ({
  donation: { id: _id, amount_cents, currency, payment_status },
});
