import type { ReportType } from '#shared/moderation/contract.ts';

export interface Template {
  name: string;
  text: string;
}

/** What a person reads about a violation; moderators choose one and change it. */
const REASONS: Record<Exclude<ReportType, 'other'>, Template> = {
  inappropriate_content: {
    name: 'Inappropriate content',
    text: 'You shared something that doesn’t belong here. Please keep it friendly and about dogs and walks.',
  },
  harassment: {
    name: 'Harassment',
    text: 'You kept writing to somebody who felt harassed by it. Please stop when people ask you to.',
  },
  illegal_activity: {
    name: 'Illegal activity',
    text: 'You used the app for something that may be illegal.',
  },
  spam: {
    name: 'Spam',
    text: 'You sent advertising or the same message to several people. Please don’t.',
  },
  underage_content: {
    name: 'Underage content',
    text: 'You shared content that puts children at risk. We don’t allow that.',
  },
  drugs: { name: 'Drugs', text: 'You offered or asked for drugs. We don’t allow that here.' },
  violence: {
    name: 'Violence',
    text: 'You threatened somebody with violence. We don’t allow that.',
  },
  animal_abuse: {
    name: 'Animal abuse',
    text: 'You shared or described harm to an animal. We don’t allow that.',
  },
};

export const REASON_TEMPLATES: readonly Template[] = Object.values(REASONS);

const GENERAL = 'You broke our community guidelines. Please read them again.';

/** The text for the type of a report, to begin with. */
export const reasonFor = (type: ReportType): string =>
  type === 'other' ? GENERAL : REASONS[type].text;

/** The answers to appeals that moderators begin with. */
export const ANSWER_TEMPLATES: readonly Template[] = [
  {
    name: 'Kept: as reported',
    text: 'We looked at what was reported and at what you wrote. It does break our guidelines, so the decision stays.',
  },
  {
    name: 'Kept: not the first time',
    text: 'We understand your point. It wasn’t the first time, though, so the decision stays.',
  },
  {
    name: 'Revoked: our mistake',
    text: 'You’re right, and we’re sorry: this didn’t break our guidelines. We’ve taken the decision back.',
  },
  {
    name: 'Revoked: a second chance',
    text: 'Thank you for explaining. We’ve taken the decision back, and trust that it won’t happen again.',
  },
];
