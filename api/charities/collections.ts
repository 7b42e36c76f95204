import { wordsOf } from '../admin/search.ts';
import type { Posting } from '../outbox/messages.ts';

/** `charities`. Optional texts that were left out are null. */
export interface CharityRow {
  _id: string;
  charity_name: string;
  /** In lower case, to be sorted by. */
  name_key: string;
  /** To be searched by, see api/admin/search.ts: by admins, and by members, who learn nothing of its contact. */
  words: string[];
  member_words: string[];
  description: string;
  contact_name: string | null;
  contact_email: string | null;
  phone: string | null;
  website_url: string | null;
  tax_id: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  zip_code: string | null;
  payment_link: string;
  logo_key: string | null;
  source: 'application' | 'suggestion';
  suggested_by_user_id: string | null;
  is_verified: boolean;
  is_active: boolean;
  donation_count: number;
  total_donated_cents: number;
  /** The last records that are in the count. */
  counted: string[];
  created_at: Date;
  version?: number;
  /** False from when members see an application first until its letter is in the outbox. */
  is_approval_told?: boolean;
}

type Named = Pick<CharityRow, 'charity_name' | 'city' | 'state' | 'contact_email' | 'tax_id'>;

/** What a charity is found by. */
export const charityWords = ({ charity_name, city, state, contact_email, tax_id }: Named) => ({
  words: wordsOf(charity_name, city, state, contact_email, tax_id),
  member_words: wordsOf(charity_name, city, state),
});

/** `charity_donations`: that somebody went to give. */
export interface CharityDonationRow {
  /** Made of the charity, the person and the day: one each. */
  _id: string;
  charity_id: string;
  /** Null when the account is gone. */
  user_id: string | null;
  amount_cents: number;
  donation_type: 'external_link';
  created_at: Date;
  is_counted: boolean;
}

/** `charity_letters`: one that was written to a charity, by what caused it and the charity's id. */
export interface CharityLetterRow extends Posting {
  charity_id: string;
}
