enum Colour { Red = 3 } export default Colour.Red;
