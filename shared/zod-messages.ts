import { z } from 'zod';

/** The generic validation texts of the spec; a schema's own message wins over them. */
z.config({
  customError(issue) {
    if (issue.input === undefined || issue.input === '') return 'Required';
    if (issue.code === 'invalid_format') {
      if (issue.format === 'email') return 'Invalid email';
      if (issue.format === 'url') return 'Invalid url';
    }
    return 'Invalid input';
  },
});
