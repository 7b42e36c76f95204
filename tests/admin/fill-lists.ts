import { createCode } from '#shared/access-gate/admin-contract.ts';
import { createAdvertisement } from '#shared/ads/admin-contract.ts';
import {
  createAdvertiser,
  createLocationAd,
  createTimedAd,
  payForAd,
} from '#shared/advertisers/contract.ts';
import { createAlert } from '#shared/alerts/admin-contract.ts';
import { createCharity } from '#shared/charities/contract.ts';
import { sendMessage } from '#shared/chat/contract.ts';
import { createHazard } from '#shared/hazards/contract.ts';
import { createLocation, reportProblem } from '#shared/locations/contract.ts';
import { issueWarning } from '#shared/moderation/admin-contract.ts';
import { appealWarning, reportContent, reportMessage } from '#shared/moderation/contract.ts';
import { createDonation } from '#shared/payments/contract.ts';
import { company, inHours, localFields, timedFields } from '../advertisers/sign-up.ts';
import { freshEmail, type Owner } from '../browser.ts';
import { charityBody } from '../charities/made-charities.ts';
import { befriend } from '../friends/befriend.ts';
import { walletToken } from '../payments/pay.ts';

/** Every list of the panel: its address, and the name of its rows. */
export const LISTS = [
  ['tab=access-codes', 'Access codes'],
  ['tab=advertisements', 'Advertisements'],
  ['tab=donations', 'Donations'],
  ['tab=advertisers&view=advertisers', 'All advertisers'],
  ['tab=advertisers&view=advertisements', 'Timed ads'],
  ['tab=advertisers&view=advertisements&kind=local', 'Location-based ads'],
  ['tab=advertisers&view=payments', 'All payments'],
  ['tab=charities', 'All charities'],
  ['tab=weather-alerts', 'Emergency alerts'],
  ['tab=people', 'All people'],
  ['tab=moderation&part=reports', 'Reports'],
  ['tab=moderation&part=warnings', 'Warnings'],
  ['tab=moderation&part=log', 'Log entries'],
  ['tab=moderation&part=rules', 'Rules'],
  ['tab=places', 'Places'],
  ['tab=hazards', 'Hazards'],
  ['tab=audit-log', 'Audit log'],
  ['tab=overview&view=failed-messages', 'Failed messages'],
] as const;

const PARK = { latitude: 40.78, longitude: -73.97 };

interface People {
  origin: string;
  admin: Pick<Owner, 'call'>;
  /** They are friends afterwards; the second is reported, warned, and appeals. */
  ann: Owner;
  wolf: Owner;
}

/** Adds a row to every list of the panel but the failed messages, which no call makes. */
export async function fillLists({ origin, admin, ann, wolf }: People): Promise<void> {
  await admin.call(createCode, {
    body: { code: `CLUB-${freshEmail('x').slice(2, 10)}`, description: 'For the club' },
  });
  await admin.call(createAdvertisement, {
    body: { title: 'Kibble of the house', target_url: 'https://kibble.example/' },
  });
  await ann.call(createDonation, { body: { amount_cents: 250, email: ann.email } });
  const { advertiser } = await ann.call(createAdvertiser, {
    body: { ...company, email: freshEmail('shop') },
  });
  const advertiser_id = advertiser.id;
  // Another test may have the time.
  const scheduled_start_at = inHours(24 + Math.floor(Math.random() * 500) * 4);
  const timed = await ann.call(createTimedAd, {
    body: { advertiser_id, ...timedFields({ scheduled_start_at }) },
  });
  await ann.call(createLocationAd, { body: { advertiser_id, ...localFields() } });
  const advertisement_id = timed.advertisement.id;
  const payment_token = await walletToken({ origin }, 'pays');
  await ann.call(payForAd, { body: { payment_token, advertiser_id, advertisement_id, period: 0 } });
  await ann.call(createCharity, { body: charityBody() });
  await admin.call(createAlert, {
    body: {
      alert_type: 'weather',
      severity: 'minor',
      title: 'Fog by the river',
      description: 'Walk slowly.',
      affected_latitude: -41.5,
      affected_longitude: 100.25,
      radius_miles: 1,
    },
  });
  const { location } = await ann.call(createLocation, {
    body: { ...PARK, name: `Meadow of ${ann.email.slice(0, 12)}`, confirm_new: true },
  });
  await wolf.call(reportProblem, {
    body: {
      location_id: location.id,
      report_type: 'wrong_details',
      description: 'The gate is locked.',
    },
  });
  await ann.call(createHazard, { body: { kind: 'glass', description: 'By the bench', ...PARK } });

  await befriend(ann, wolf);
  const lines = ['Hello', 'Where do you walk?', 'I know where you walk', 'Answer me'];
  const said = [];
  for (const message_text of lines)
    said.push(
      (await wolf.call(sendMessage, { body: { receiver_user_id: ann.user.id, message_text } }))
        .message,
    );
  const reported_user_id = wolf.user.id;
  await ann.call(reportMessage, {
    body: {
      reported_user_id,
      message_id: said[2]?.id ?? '',
      report_type: 'harassment',
      description: 'He frightens me.',
    },
  });
  await ann.call(reportContent, {
    body: {
      subject_type: 'person',
      reported_user_id,
      report_type: 'spam',
      description: 'He sells kibble to everybody.',
    },
  });
  const { warning } = await admin.call(issueWarning, {
    body: {
      user_id: reported_user_id,
      warning_type: 'warning',
      severity: 'minor',
      reason: 'Be kind.',
    },
  });
  await wolf.call(appealWarning, {
    params: { id: warning.id },
    body: { text: 'I only called my dog.' },
  });
}
