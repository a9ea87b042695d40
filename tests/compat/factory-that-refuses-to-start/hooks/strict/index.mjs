class ConfigError extends TypeError {
  constructor(message, options) {
    super(message, options);
    this.name = 'ConfigError';
  }
}

export const createHook = ({ allow }) => {
  if (!Array.isArray(allow) || allow.length === 0) {
    throw new ConfigError('config.allow is empty: name at least one tool', { cause: { allow } });
  }
  return { run: (point, { toolName }) => ({ action: allow.includes(toolName) ? 'allow' : 'block' }) };
};
