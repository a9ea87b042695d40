import * as z from 'zod/v4';

export const schemas = (recipients) => ({
  send_mail: z.strictObject({
    to: z.array(z.email()).min(1).max(recipients),
    subject: z.string().trim().min(1),
    priority: z.enum(['low', 'high']).default('low'),
    at: z.iso.datetime().optional(),
  }),
  refund: z.object({ cents: z.coerce.number().int().positive(), reason: z.string() }).refine(
    ({ cents, reason }) => cents < 10_000 || reason.length >= 10,
    { error: 'a large refund needs a reason', path: ['reason'] },
  ),
});
