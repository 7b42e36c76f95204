/** Said of a chosen file that can't be read any more. */
export const UNREADABLE =
  'We couldn’t read this file. It may have changed or moved. Choose it again.';
