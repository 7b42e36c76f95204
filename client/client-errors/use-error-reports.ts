import { useEffect } from 'react';
import { reportErrors } from './report-errors.ts';

/** Reports errors of the app while a member’s screen is open. */
export function useErrorReports(): void {
  useEffect(() => reportErrors(), []);
}
