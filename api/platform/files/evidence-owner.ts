const EVIDENCE = 'evidence:';

/** Returns the owner id of pictures copied into a report, which only moderators see. */
export const evidenceOwner = (reportId: string): string => `${EVIDENCE}${reportId}`;

/** Returns whether an image is a copy in a report. */
export const isEvidenceOwner = (owner: string): boolean => owner.startsWith(EVIDENCE);
