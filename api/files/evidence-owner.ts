const EVIDENCE = 'evidence:';

/** The owner of the copies of pictures in a report, which only moderators see. */
export const evidenceOwner = (reportId: string): string => `${EVIDENCE}${reportId}`;

/** Whether an image is a copy in a report. */
export const isEvidenceOwner = (owner: string): boolean => owner.startsWith(EVIDENCE);
