import type { CardRow, MessageRow, UserRow } from '#shared/server/collections.ts';
import type {
  AccessCodeRow,
  AccessCodeUseRow,
} from '../../api/features/access-gate/collections.ts';
import type { AdvertisementRow, ClickRow, ListingRow } from '../../api/features/ads/collections.ts';
import type { AdPaymentRow, AdvertiserRow } from '../../api/features/advertisers/collections.ts';
import type { EmergencyAlertRow } from '../../api/features/alerts/collections.ts';
import type { CharityDonationRow, CharityRow } from '../../api/features/charities/collections.ts';
import type { ThreadRow } from '../../api/features/chat/collections.ts';
import type { LocationRow, TipRow, VisitRow } from '../../api/features/locations/collections.ts';
import type { EvidenceRow, ReportRow } from '../../api/features/moderation/collections.ts';
import type { SearchInvitationRow } from '../../api/features/invitations/collections.ts';
import type { PlannedWalkRow } from '../../api/features/planned-walks/collections.ts';
import type { DonationRow } from '../../api/features/payments/collections.ts';
import type { DocumentRow } from '../../sync-server/core/database.ts';
import type { PairRow } from '../../api/features/friends/collections.ts';
import type { SandboxPaymentRow } from '../../api/features/payments/collections.ts';

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
