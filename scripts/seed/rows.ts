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
import type { PlannedWalkRow } from '../../api/planned-walks/collections.ts';
import type { DonationRow } from '../../api/payments/collections.ts';
import type { DocumentRow } from '../../sync-server/core/database.ts';
import type { PairRow } from '../../api/friends/collections.ts';
import type { SandboxPaymentRow } from '../../api/payments/collections.ts';

/** Returns an empty list for each collection that is seeded. */
export const emptyRows = () => ({
  documents: [] as DocumentRow[],
  threads: [] as ThreadRow[],
  messages: [] as MessageRow[],
  pairs: [] as PairRow[],
  cards: [] as CardRow[],
  locations: [] as LocationRow[],
  location_tips: [] as TipRow[],
  location_visits: [] as VisitRow[],
  planned_walks: [] as PlannedWalkRow[],
  charities: [] as CharityRow[],
  charity_donations: [] as CharityDonationRow[],
  advertisements: [] as AdvertisementRow[],
  ad_clicks: [] as ClickRow[],
  advertisers: [] as AdvertiserRow[],
  business_listings: [] as ListingRow[],
  ad_payments: [] as AdPaymentRow[],
  sandbox_payments: [] as SandboxPaymentRow[],
  emergency_alerts: [] as EmergencyAlertRow[],
  donations: [] as DonationRow[],
  search_invitations: [] as SearchInvitationRow[],
  message_reports: [] as ReportRow[],
  report_evidence: [] as EvidenceRow[],
  access_codes: [] as AccessCodeRow[],
  access_code_uses: [] as AccessCodeUseRow[],
  users: [] as UserRow[],
});

export type Rows = ReturnType<typeof emptyRows>;
