export const platform = 'web';
