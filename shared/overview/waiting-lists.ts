import type { WaitingKind } from './contract.ts';

/**
 * The list of each kind that waits, as in the address of the panel: it has as many rows as the overview counts. Oldest first where
 * the list has that order.
 */
export const WAITING_LISTS: Record<WaitingKind, string> = {
  reports: 'tab=moderation&part=queue',
  held_messages: 'tab=moderation&part=log&review=pending&sort=oldest',
  appeals: 'tab=moderation&part=appeals',
  law_enforcement_notices: 'tab=moderation&part=warnings&notice=due&sort=oldest',
  ad_reviews: 'tab=advertisers&view=review',
  charity_applications: 'tab=charities&verification=pending&activity=active&sort=oldest',
  place_reports: 'tab=places&status=reported&sort=oldest',
  donations_in_doubt: 'tab=donations&status=in_doubt&sort=oldest',
  ad_payments_in_doubt: 'tab=advertisers&view=payments&status=in_doubt&sort=oldest',
  failed_messages: 'tab=overview&view=failed-messages&since=recently&sort=oldest',
};
