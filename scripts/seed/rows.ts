import type { CardRow, MessageRow, UserRow } from '#shared/server/collections.ts';
import type { AccessCodeRow, AccessCodeUseRow } from '../../api/access-gate/collections.ts';
import type { AdvertisementRow, ClickRow, ListingRow } from '../../api/ads/collections.ts';
import type { AdPaymentRow, AdvertiserRow } from '../../api/advertisers/collections.ts';
import type { EmergencyAlertRow } from '../../api/alerts/collections.ts';
import type { CharityDonationRow, CharityRow } from '../../api/charities/collections.ts';
import type { ThreadRow } from '../../api/chat/collections.ts';
import type { LocationRow, TipRow, VisitRow } from '../../api/locations/collections.ts';
import type { EvidenceRow, ReportRow } from '../../api/moderation/collections.ts';
import type { SearchInvitationRow } from '../../api/invitations/collections.ts';
import type { DonationRow } from '../../api/payments/collections.ts';
import type { DocumentRow } from '../../sync-server/database.ts';
import type { PairRow } from '../../api/friends/collections.ts';
import type { SandboxPaymentRow } from '../../api/payments/collections.ts';

/** What a crowd is written into, by collection, and what its rows are. */
export interface Filled {
  documents: DocumentRow;
  threads: ThreadRow;
  messages: MessageRow;
  pairs: PairRow;
  cards: CardRow;
  locations: LocationRow;
  location_tips: TipRow;
  location_visits: VisitRow;
  charities: CharityRow;
  charity_donations: CharityDonationRow;
  advertisements: AdvertisementRow;
  ad_clicks: ClickRow;
  advertisers: AdvertiserRow;
  business_listings: ListingRow;
  ad_payments: AdPaymentRow;
  sandbox_payments: SandboxPaymentRow;
  emergency_alerts: EmergencyAlertRow;
  donations: DonationRow;
  search_invitations: SearchInvitationRow;
  message_reports: ReportRow;
  report_evidence: EvidenceRow;
  access_codes: AccessCodeRow;
  access_code_uses: AccessCodeUseRow;
  users: UserRow;
}

/** Some rows of each collection. */
export type Rows = { [Name in keyof Filled]: Filled[Name][] };

/** A list for each collection, with nothing in it. */
export const noRows = (): Rows => ({
  documents: [],
  threads: [],
  messages: [],
  pairs: [],
  cards: [],
  locations: [],
  location_tips: [],
  location_visits: [],
  charities: [],
  charity_donations: [],
  advertisements: [],
  ad_clicks: [],
  advertisers: [],
  business_listings: [],
  ad_payments: [],
  sandbox_payments: [],
  emergency_alerts: [],
  donations: [],
  search_invitations: [],
  message_reports: [],
  report_evidence: [],
  access_codes: [],
  access_code_uses: [],
  users: [],
});
