import { AD_TITLE_MAX } from '#shared/ads/rules.ts';
import { ADDRESS_MAX, PHONE_MAX } from '#shared/advertisers/rules.ts';

/** A text of a paid ad, besides its description. */
interface AdInput {
  name: string;
  label: string;
  max?: number;
  type?: 'url' | 'tel';
  isOptional?: boolean;
}

export const TIMED_INPUTS: readonly AdInput[] = [
  { name: 'title', label: 'Title', max: AD_TITLE_MAX },
  { name: 'target_url', label: 'Target URL', type: 'url' },
];
export const LISTING_INPUTS: readonly AdInput[] = [
  { name: 'business_name', label: 'Business name', max: AD_TITLE_MAX },
  { name: 'address', label: 'Address', max: ADDRESS_MAX, isOptional: true },
  { name: 'phone', label: 'Phone', max: PHONE_MAX, type: 'tel', isOptional: true },
  { name: 'website_url', label: 'Website', type: 'url', isOptional: true },
];
