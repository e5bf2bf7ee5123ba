import shop.HallpassContainer;

/** Starts the container, prints what a test needs to reach it, and stops it when its input ends. */
public class Run {
    public static void main(String[] args) throws Exception {
        var lab = new HallpassContainer("hallpass", Integer.parseInt(args[0]), args[1]);
        lab.start();
        System.out.println(lab.issuer() + " " + lab.labToken());
        System.in.readAllBytes();
        lab.stop();
    }
}
